import { describe, expect, it } from 'vitest';
import { createMockMcpClient, runMcpTool } from '#src/testing/index.ts';
import { type Ctx, tool } from './session-kit.ts';

describe('an answer to a sampling', () => {
  it.each([
    [null],
    [[null]],
    [{}],
    [['hello']],
    [{ type: 'tool_result' }],
    [[{ type: 'tool_use', name: 'f', input: {} }]],
    [{ type: 'image', mimeType: 'image/png' }],
    [{ type: 'thinking', thinking: 'hm' }],
  ])('whose content no message holds (%j) is refused in words', async (content) => {
    const client = createMockMcpClient({ sampleResponses: [{ content: content as never }] });
    const asking = tool(function* (ctx: Ctx) {
      yield* ctx.sample({ prompt: 'Hi' });
    });
    await expect(runMcpTool(asking, {}, client)).rejects.toThrow(
      /a sampling is answered with|neither a content block nor a list/,
    );
  });
});
