import { createMockMcpClient, runMcpTool } from 'parley-mcp/testing';
import { describe, expect, test } from 'vitest';
import { approve } from '#src/tools/approve/tool.ts';

interface Asked {
  readonly message: string;
  readonly requestedSchema: { readonly properties: Record<string, unknown>; readonly required: string[] };
}

const changes = [
  { label: 'Mail Ada', text: 'Dear Ada' },
  { label: 'Delete 3 branches', detail: 'old, older, oldest' },
  { label: 'Fix the typo', diff: '-teh\n+the' },
];
const call = { message: 'Clean up before the release.', changes };

function client(answer: unknown, asked: Asked[] = []) {
  return createMockMcpClient({
    elicitResponses: (request) => {
      asked.push(request as unknown as Asked);
      return asked.length > 3 ? { action: 'cancel' } : (answer as { action: 'cancel' });
    },
  });
}

describe('approve', () => {
  test('asks one form, where each change is ticked, and returns what was left ticked, as it was edited', async () => {
    const asked: Asked[] = [];
    const content = { apply: ['1', '3'], text_1: 'Dear Ada,', note: ' go ' };
    expect(await runMcpTool(approve, call, client({ action: 'accept', content }, asked))).toEqual({
      status: 'approved',
      approved: [
        { change: 1, label: 'Mail Ada', text: 'Dear Ada,', edited: true },
        { change: 3, label: 'Fix the typo' },
      ],
      refused: ['Delete 3 branches'],
      note: 'go',
    });
    const [{ message, requestedSchema } = { message: '', requestedSchema: undefined }] = asked;
    expect(message).toBe(
      'Clean up before the release.\n\n2. Delete 3 branches\n\n    old, older, oldest\n\n3. Fix the typo\n\n    -teh\n    +the',
    );
    expect(requestedSchema?.properties).toMatchObject({
      apply: { default: ['1', '2', '3'], items: { anyOf: [{ const: '1', title: '1. Mail Ada' }, {}, {}] } },
      text_1: { default: 'Dear Ada', multiline: true },
    });
  });

  test('takes no answer without the list, and one without ticks for a refusal', async () => {
    const silent = client({ action: 'accept', content: { apply: undefined, text_1: 'x' } });
    await expect(runMcpTool(approve, call, silent)).rejects.toThrow('was not valid, 3 times in a row');
    const none = client({ action: 'accept', content: { apply: [], text_1: 'Dear Ada' } });
    expect(await runMcpTool(approve, call, none)).toMatchObject({ status: 'declined', approved: [] });
    expect(await runMcpTool(approve, call, client({ action: 'decline' }))).toEqual({ status: 'declined' });
  });

  test('shows what cannot be seen, and asks about nothing that is too long to read', async () => {
    const asked: Asked[] = [];
    const hidden = { message: 'Sure?', changes: [{ label: 'a\u202eb\n2. c', diff: '+ok\u200b' }] };
    await runMcpTool(approve, hidden, client({ action: 'decline' }, asked));
    expect(asked[0]?.message).toBe('Sure?\n\n1. a\\u202eb 2. c\n\n    +ok\\u200b');
    const long = { message: 'Sure?', changes: Array(3).fill({ label: 'x', diff: 'y'.repeat(4000) }) };
    await expect(runMcpTool(approve, long, client({ action: 'accept', content: {} }))).rejects.toThrow(
      'Call approve for fewer changes at once',
    );
  });
});
