import { describe, expect, it } from 'vitest';
import type { SampleAskRequest } from '#src/core/tool/ask.ts';
import { encodeRequest } from '#src/vscode/calls/sampler/encode.ts';

const hello: SampleAskRequest = {
  messages: [{ role: 'user', content: { type: 'text', text: 'Hello' } }],
  maxTokens: 200,
};
const tool = (name: string) => ({ name, description: `does ${name}`, inputSchema: { type: 'object' } });

describe('encodeRequest', () => {
  it('puts the system prompt into a first user message', () => {
    expect(encodeRequest({ ...hello, systemPrompt: 'Be brief.' }).messages).toEqual([
      { role: 'user', parts: [{ type: 'text', text: 'Be brief.' }] },
      { role: 'user', parts: [{ type: 'text', text: 'Hello' }] },
    ]);
  });

  it('uses the keys of modelOptions that Copilot reads, and only those that were given', () => {
    expect(encodeRequest(hello).modelOptions).toEqual({ max_tokens: 200 });
    expect(
      encodeRequest({ ...hello, temperature: 0.2, stopSequences: ['END', 'STOP'] }).modelOptions,
    ).toEqual({ max_tokens: 200, temperature: 0.2, stop: 'END' });
  });

  it('tells the schema to a model that cannot call tools, and sends it none', () => {
    const asked = { ...hello, tools: [tool('__schema__')], toolChoice: { mode: 'required' as const } };
    const encoded = encodeRequest(asked, false);
    expect(encoded.tools).toEqual([]);
    expect(encoded.toolMode).toBe('auto');
    expect(encoded.messages[0]?.parts).toEqual([
      { type: 'text', text: expect.stringMatching(/fits this JSON schema.*\{"type":"object"\}/s) },
    ]);
    expect(encodeRequest({ ...asked, toolChoice: { mode: 'auto' } }, false).messages).toHaveLength(1);
  });

  it('tells a model that cannot call tools in words what tools did', () => {
    const { messages } = encodeRequest(
      {
        ...hello,
        messages: [
          { role: 'assistant', content: [{ type: 'tool_use', id: '1', name: 'add', input: { a: 1 } }] },
          {
            role: 'user',
            content: [{ type: 'tool_result', toolUseId: '1', content: [{ type: 'text', text: '3' }] }],
          },
        ],
      },
      false,
    );
    expect(messages.map(({ parts }) => parts)).toEqual([
      [{ type: 'text', text: 'I call add with {"a":1}' }],
      [{ type: 'text', text: '3' }],
    ]);
  });

  it('says once that a result is none', () => {
    const failed = (text: string) =>
      JSON.stringify(
        encodeRequest({
          ...hello,
          messages: [
            {
              role: 'user',
              content: [
                { type: 'tool_result', toolUseId: '1', content: [{ type: 'text', text }], isError: true },
              ],
            },
          ],
        }),
      ).match(/The tool failed/g);
    expect(failed('The tool failed: no such port')).toHaveLength(1);
    expect(failed('no such port')).toHaveLength(1);
  });

  it.each([
    [[], false, ['The tool is done. It returned nothing.']],
    [[{ type: 'text', text: ' ' }], false, ['The tool is done. It returned nothing.']],
    [[], true, ['The tool failed:', 'It did not say why.']],
    [
      [
        { type: 'text', text: '' },
        { type: 'text', text: 'b' },
      ],
      false,
      ['b'],
    ],
  ] as const)('sends no text that is blank (%j, %j)', (content, isError, told) => {
    const result = { type: 'tool_result', toolUseId: '1', content, isError } as const;
    const { messages } = encodeRequest({ ...hello, messages: [{ role: 'user', content: result }] });
    expect(messages[0]?.parts).toEqual([
      { type: 'result', id: '1', content: told.map((text) => ({ type: 'text', text })) },
    ]);
  });

  it('requires a single tool, and asks in words when there are several', () => {
    const one = encodeRequest({ ...hello, tools: [tool('a')], toolChoice: { mode: 'required' } });
    expect(one.toolMode).toBe('required');
    expect(one.messages).toHaveLength(1);
    const two = encodeRequest({
      ...hello,
      systemPrompt: 'Be brief.',
      tools: [tool('a'), tool('b')],
      toolChoice: { mode: 'required' },
    });
    expect(two.toolMode).toBe('auto');
    expect(two.messages[0]).toEqual({
      role: 'user',
      parts: [
        {
          type: 'text',
          text: 'Be brief.\n\nCall exactly one of these tools: a, b. Do not answer with text.',
        },
      ],
    });
  });

  it('sends no tools when the choice is none', () => {
    const encoded = encodeRequest({ ...hello, tools: [tool('a')], toolChoice: { mode: 'none' } });
    expect(encoded.tools).toEqual([]);
    expect(encoded.toolMode).toBe('auto');
  });

  it('carries a tool exchange, images and sound', () => {
    const encoded = encodeRequest({
      maxTokens: 1,
      messages: [
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'Let me see' },
            { type: 'tool_use', id: '1', name: 'look', input: { at: 'map' } },
          ],
        },
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              toolUseId: '1',
              isError: true,
              content: [
                { type: 'text', text: 'no map' },
                { type: 'image', data: 'AAEC', mimeType: 'image/png' },
                { type: 'resource', resource: { uri: 'file:///x', text: 'inline' } },
                { type: 'resource_link', uri: 'file:///y', name: 'y' },
              ],
            },
          ],
        },
        { role: 'user', content: { type: 'audio', data: 'AAEC', mimeType: 'audio/wav' } },
      ],
    });
    expect(encoded.messages).toEqual([
      {
        role: 'assistant',
        parts: [
          { type: 'text', text: 'Let me see' },
          { type: 'call', id: '1', name: 'look', input: { at: 'map' } },
        ],
      },
      {
        role: 'user',
        parts: [
          {
            type: 'result',
            id: '1',
            content: [
              { type: 'text', text: 'The tool failed:' },
              { type: 'text', text: 'no map' },
              { type: 'data', bytes: new Uint8Array([0, 1, 2]), mimeType: 'image/png' },
              { type: 'text', text: 'inline' },
              { type: 'text', text: 'y: file:///y' },
            ],
          },
        ],
      },
      { role: 'user', parts: [{ type: 'data', bytes: new Uint8Array([0, 1, 2]), mimeType: 'audio/wav' }] },
    ]);
  });

  it('shows a result that is structured only', () => {
    const encoded = encodeRequest({
      maxTokens: 1,
      messages: [
        {
          role: 'user',
          content: { type: 'tool_result', toolUseId: '1', content: [], structuredContent: { ok: true } },
        },
      ],
    });
    expect(encoded.messages[0]?.parts).toEqual([
      { type: 'result', id: '1', content: [{ type: 'text', text: '{"ok":true}' }] },
    ]);
  });
});
