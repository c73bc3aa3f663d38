import { describe, expect, it } from 'vitest';
import type { ToolUseContent } from '#src/core/messages/content.ts';
import { unreadableInput } from '#src/core/tool/tool-input.ts';
import { decodeElicit, encodeElicit } from '#src/mcp/wire/elicit.ts';
import { decodeRoots } from '#src/mcp/wire/roots.ts';
import { decodeSample, encodeSample } from '#src/mcp/wire/sample.ts';

const requestedSchema = { type: 'object', properties: { row: { type: 'integer' } } } as const;

describe('a question on the wire', () => {
  it('is its message and its schema, and says that it is a form', () => {
    expect(encodeElicit({ request: { message: 'Which row?', requestedSchema } })).toEqual({
      mode: 'form',
      message: 'Which row?',
      requestedSchema,
    });
  });

  it('carries context three times', () => {
    const request = { message: 'Which row?', requestedSchema, context: { rows: [1, 2] } };
    expect(encodeElicit({ request })).toEqual({
      mode: 'form',
      message: 'Which row?\n\n--x-model-context: application/json\n{"rows":[1,2]}',
      requestedSchema: { ...requestedSchema, 'x-model-context': { rows: [1, 2] } },
      _meta: { 'x-model-context': { rows: [1, 2] } },
    });
  });

  it('begins with what was wrong when it is asked again', () => {
    const ask = { request: { message: 'Which row?', requestedSchema }, problem: 'row: too big' };
    expect(encodeElicit(ask)).toMatchObject({ message: 'row: too big\n\nWhich row?' });
  });
});

describe('an answer from the wire', () => {
  it('keeps its content as it is: the session checks it', () => {
    expect(decodeElicit({ action: 'accept', content: { row: 'x' }, _meta: {} })).toEqual({
      action: 'accept',
      content: { row: 'x' },
    });
    expect(decodeElicit({ action: 'decline' })).toEqual({ action: 'decline' });
    expect(decodeElicit({ action: 'cancel', content: {} })).toEqual({ action: 'cancel' });
  });

  it.each([[undefined], ['accept'], [{}], [{ action: 'yes' }], [[]]])(
    'counts %j as accepted with what no form takes, so that it is asked again',
    (wire) => {
      expect(decodeElicit(wire)).toEqual({ action: 'accept', content: [] });
    },
  );
});

describe('a sampling', () => {
  it('goes out with bare blocks where there is one, for clients that know no lists', () => {
    const text = { type: 'text', text: 'hi' } as const;
    const request = { maxTokens: 5, messages: [{ role: 'user', content: [text] }] } as const;
    expect(encodeSample(request)).toEqual({ maxTokens: 5, messages: [{ role: 'user', content: text }] });
  });

  it('comes back as one block or a list', () => {
    const text = { type: 'text', text: 'hi' };
    const use = { type: 'tool_use', id: '1', name: 'f', input: {} };
    expect(decodeSample({ role: 'assistant', content: text, model: 'm', stopReason: 'endTurn' })).toEqual({
      role: 'assistant',
      content: text,
      model: 'm',
      stopReason: 'endTurn',
    });
    expect(decodeSample({ content: [text, use] })).toMatchObject({ content: [text, use], model: 'unknown' });
  });

  it('marks a call whose arguments are no JSON object', () => {
    const { content } = decodeSample({ content: [{ type: 'tool_use', id: '1', name: 'f', input: 'x' }] });
    expect(content).toMatchObject([{ type: 'tool_use', input: { arguments: 'x' } }]);
    expect(unreadableInput([content].flat()[0] as ToolUseContent)).toContain('no JSON object');
  });

  it.each([
    [undefined],
    [{}],
    [{ content: 'hi' }],
    [{ content: { type: 'text' } }],
    [{ content: [{ type: 'x' }] }],
    [{ content: { type: 'image' } }],
    [{ content: { type: 'tool_result' } }],
    [{ content: [{ type: 'tool_result', toolUseId: '1', content: [null] }] }],
    [{ content: { type: 'resource_link', uri: 'a:b', name: 'b' } }],
  ])('refuses %j', (wire) => {
    expect(() => decodeSample(wire)).toThrow(expect.objectContaining({ code: 'SAMPLING' }));
  });
});

describe('roots', () => {
  it('are a list of URIs', () => {
    expect(
      decodeRoots({ roots: [{ uri: 'file:///a', name: 'a', _meta: {} }, { uri: 'file:///b' }] }),
    ).toEqual({
      roots: [{ uri: 'file:///a', name: 'a' }, { uri: 'file:///b' }],
    });
  });

  it.each([[undefined], [{}], [{ roots: {} }], [{ roots: [{}] }], [{ roots: ['file:///a'] }]])(
    'are refused when they are %j',
    (wire) => {
      expect(() => decodeRoots(wire)).toThrow(expect.objectContaining({ code: 'ANSWER_INVALID' }));
    },
  );
});
