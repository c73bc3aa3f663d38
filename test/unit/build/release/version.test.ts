import { describe, expect, test } from 'vitest';
import { nextVersion } from '#build/release/version.ts';

describe('the version of a release', () => {
  test('is the one given, or the next of its kind', () => {
    expect(nextVersion('0.1.0', '0.2.0', false)).toBe('0.2.0');
    expect(nextVersion('0.2.3', 'patch', false)).toBe('0.2.4');
    expect(nextVersion('0.2.3', 'minor', false)).toBe('0.4.0');
    expect(nextVersion('0.2.3', 'major', false)).toBe('1.0.0');
    expect(nextVersion('0.2.3', 'minor', true)).toBe('0.3.0');
    expect(nextVersion('0.3.0', 'patch', true)).toBe('0.3.1');
    expect(nextVersion('0.3.1', 'patch', false)).toBe('0.4.0');
    expect(nextVersion('0.3.1', 'major', true)).toBe('1.1.0');
  });

  test('is newer', () => {
    expect(() => nextVersion('0.2.0', '0.2.0', false)).toThrow('0.2.0 is not newer than 0.2.0');
    expect(() => nextVersion('1.0.0', '0.8.0', false)).toThrow('not newer');
  });

  test('keeps releases and pre-releases apart, as the Marketplace asks', () => {
    expect(() => nextVersion('0.2.0', '0.3.0', false)).toThrow('add --pre-release');
    expect(() => nextVersion('0.2.0', '0.4.0', true)).toThrow('odd minor number, such as 0.5.0');
  });

  test('has plain numbers, as the Marketplace takes them', () => {
    expect(() => nextVersion('0.2.0', '0.4.0-beta.1', true)).toThrow('no version');
    expect(() => nextVersion('0.2.0', 'next', false)).toThrow('no version');
  });
});
