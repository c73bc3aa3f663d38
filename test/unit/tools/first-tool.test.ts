import { createMockMcpClient, runMcpTool } from 'parley-mcp/testing';
import { describe, expect, test } from 'vitest';
import { shippedTools } from '#src/tools/definitions.ts';
import { firstTool } from '#src/tools/first-tool/tool.ts';

const wishes = { kitchen: 'Italian', people: 3, outside: false };

describe('the first tool', () => {
  test('asks a question and the model, and says what came of both', async () => {
    const client = createMockMcpClient({
      elicitResponses: [{ action: 'accept', content: wishes }],
      sampleResponses: ['Order the soup. '],
    });
    expect(await runMcpTool(firstTool, {}, client)).toBe(
      'Lunch for 3: Italian, inside.\n\nThe model adds: Order the soup.',
    );
  });

  test('goes on without a model', async () => {
    const client = createMockMcpClient({
      capabilities: { elicitation: { form: true } },
      elicitResponses: [{ action: 'accept', content: wishes }],
    });
    expect(await runMcpTool(firstTool, {}, client)).toContain('No language model was there');
  });

  test('can be answered by one press: every field has a value', async () => {
    const client = createMockMcpClient({
      elicitResponses: [{ action: 'accept', content: {} }],
      sampleResponses: ['Go.'],
    });
    expect(await runMcpTool(firstTool, {}, client)).toContain('Lunch for 2: Thai, outside.');
  });

  test.each(['decline', 'cancel'] as const)('takes %s for an answer', async (action) => {
    const client = createMockMcpClient({ elicitResponses: [{ action }] });
    expect(await runMcpTool(firstTool, {}, client)).toContain(action);
  });

  test('is for people: no agent is given it', () => {
    expect(shippedTools).not.toContain(firstTool);
  });
});
