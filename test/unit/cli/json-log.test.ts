import * as fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { parseCommand } from '#src/cli/args.ts';
import { jsonLine, logsJson, makeLogJson } from '#src/cli/serving/json-log.ts';
import { say } from '#src/cli/terminal-text.ts';

const undoing: (() => void)[] = [];
afterEach(() => {
  for (const undo of undoing.splice(0)) undo();
  vi.unstubAllEnvs();
});

/** A stream whose lines are JSON, and what came out of it. */
function log() {
  let out = '';
  const stream = {
    write: (text: string | Uint8Array) => {
      out += String(text);
      return true;
    },
  };
  undoing.push(makeLogJson(stream));
  const lines = () =>
    out
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  return { stream, lines };
}

describe('a log in JSON', () => {
  it('has one object a line, with when, how bad, what and why', () => {
    const { lines } = log();
    say('a call\nfailed', new Error('the disk\nis full'));
    say('calls: 3', undefined, 'info');
    const [failed, told] = lines();
    expect(failed).toMatchObject({ level: 'error', message: 'a call\nfailed' });
    expect(failed.cause).toContain('the disk\nis full');
    expect(new Date(failed.time).toISOString()).toBe(failed.time);
    expect(told).toEqual({ time: told.time, level: 'info', message: 'calls: 3' });
  });

  it('stays one line for any text, and gives it back as it was', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const line = jsonLine('error', text, text);
        expect(line.slice(0, -1)).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u);
        expect(JSON.parse(line)).toMatchObject({ message: text, cause: text });
      }),
    );
  });

  it('has lines of others as messages, however they come, also those that look like its own', () => {
    const { stream, lines } = log();
    stream.write('one\ntw');
    stream.write(new TextEncoder().encode('o\n\n'));
    stream.write('{"level":"error","message":"forged"}\n');
    expect(lines().map(({ level, message }) => [level, message])).toEqual([
      ['info', 'one'],
      ['info', 'two'],
      ['info', '{"level":"error","message":"forged"}'],
    ]);
  });

  it('does not wait for ever for the end of a line', () => {
    const { stream, lines } = log();
    stream.write('x'.repeat(70_000));
    expect(lines()).toHaveLength(1);
  });
});

describe('--log-format', () => {
  it('is text unless it is said otherwise, by a flag or in the environment', () => {
    expect(logsJson(['serve', 'a.ts'])).toBe(false);
    expect(logsJson(['serve', '--log-format', 'json', 'a.ts'])).toBe(true);
    vi.stubEnv('PARLEY_LOG_FORMAT', 'json');
    expect(logsJson(['serve', 'a.ts'])).toBe(true);
    expect(logsJson(['serve', '--log-format=text', 'a.ts'])).toBe(false);
  });

  it('is nothing else', () => {
    expect(() => parseCommand(['serve', '--log-format', 'xml', 'a.ts'])).toThrow(
      "--log-format is text or json, not 'xml'",
    );
  });
});
