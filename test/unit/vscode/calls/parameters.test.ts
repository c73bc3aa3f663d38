import { describe, expect, it } from 'vitest';
import {
  asDefaults,
  needsNothing,
  readRunArguments,
  takesNothing,
  withoutSecrets,
} from '#src/vscode/calls/parameters/parameters.ts';

describe('takesNothing', () => {
  it.each([
    [true, { type: 'object' }],
    [true, { type: 'object', properties: {}, additionalProperties: false }],
    [false, { type: 'object', properties: { a: { type: 'string' } } }],
    [false, { anyOf: [{ type: 'object', properties: { a: {} } }] }],
    [false, { $ref: '#/$defs/x' }],
    [false, { type: 'object', additionalProperties: { type: 'number' } }],
    [false, { type: 'object', patternProperties: { '^x-': { type: 'string' } } }],
  ])('is %s for %j', (nothing, schema) => {
    expect(takesNothing(schema)).toBe(nothing);
  });
});

describe('needsNothing', () => {
  const text = { type: 'string' };
  it.each([
    [true, { type: 'object' }],
    [true, { type: 'object', properties: { a: text, b: text } }],
    [false, { type: 'object', properties: { a: text }, required: ['a'] }],
    [false, { type: 'object', properties: { a: { ...text, default: 'shown' } } }],
    [false, { type: 'object', properties: { a: text }, anyOf: [{ required: ['a'] }] }],
    [false, { $ref: '#/$defs/x' }],
  ])('is %s for %j', (nothing, schema) => {
    expect(needsNothing(schema)).toBe(nothing);
  });
});

describe('defaults from the last time', () => {
  it('are those that the form still has', () => {
    const schema = { type: 'object', properties: { from: {}, to: {} } };
    expect(asDefaults(schema, { from: 'AMS', gone: 1 })).toEqual({ from: 'AMS' });
    expect(asDefaults(schema, { gone: 1 })).toBeUndefined();
    expect(asDefaults(schema, undefined)).toBeUndefined();
  });

  it('never hold what looks like a secret', () => {
    expect(
      withoutSecrets({ user: 'ada', password: 'p', apiKey: 'k', accessToken: 't', maxTokens: 5 }),
    ).toEqual({
      user: 'ada',
      maxTokens: 5,
    });
  });
});

describe('arguments of parley.runTool', () => {
  it.each([
    [[], { tool: undefined, params: undefined }],
    [['echo'], { tool: 'echo', params: undefined }],
    [['echo', { a: 1 }], { tool: 'echo', params: { a: 1 } }],
    [[{ tool: 'echo', params: { a: 1 } }], { tool: 'echo', params: { a: 1 }, unseen: false, written: true }],
    [[{ tool: 'echo' }], { tool: 'echo', params: undefined, unseen: false, written: true }],
    [[{ tool: 'echo', show: false }], { tool: 'echo', params: undefined, unseen: true, written: true }],
  ])('%j', (args, read) => {
    expect(readRunArguments(args)).toEqual(read);
  });

  it.each([
    [[1]],
    [[{ name: 'echo' }]],
    [['echo', 'text']],
    [['echo', ['a']]],
    [[true]],
    [[{ tool: 'echo', show: 'no' }]],
  ])('refuses %j', (args) => {
    expect(() => readRunArguments(args)).toThrow(TypeError);
  });
});
