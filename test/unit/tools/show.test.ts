import { createMockMcpClient, runMcpTool } from 'parley-mcp/testing';
import { describe, expect, test } from 'vitest';
import { item } from '#src/tools/show/as-markdown.ts';
import { show } from '#src/tools/show/tool.ts';

const PNG = 'data:image/png;base64,iVBORw0KGgo=';
const items = [
  { kind: 'table' as const, rows: [['City', 'Days'], ['Oslo | a', 3], ['Rome']] },
  { kind: 'code' as const, text: 'a\n```\nb', caption: 'From the docs' },
  { kind: 'image' as const, text: PNG, caption: 'The chart' },
];
const SHOWN = [
  '| City      | Days |\n| --------- | ---- |\n| Oslo \\| a | 3    |\n| Rome      |      |',
  '````\na\n```\nb\n````\n\nFrom the docs',
  '[picture]\n\nThe chart',
].join('\n\n');
const picture = {
  type: 'image',
  mimeType: 'image/png',
  data: 'iVBORw0KGgo=',
  annotations: { audience: ['user'] },
};

describe('show', () => {
  test('shows text that reads well as it is, and gives the reply; pictures are for the person alone', async () => {
    const messages: string[] = [];
    const client = createMockMcpClient({
      elicitResponses: (request) => {
        messages.push(request.message);
        return { action: 'accept', content: { reply: ' nice ' } };
      },
    });
    expect(await runMcpTool(show, { title: 'Trip', items }, client)).toEqual([
      { type: 'text', text: '{"status":"seen","reply":"nice"}' },
      picture,
    ]);
    expect(messages).toEqual([`Trip\n\n${SHOWN}`]);
  });

  test.each([
    ['where nobody can be asked', createMockMcpClient({ capabilities: {} }), {}],
    [
      'that does not wait',
      createMockMcpClient({ elicitResponses: () => ({ action: 'cancel' }) }),
      { wait: false },
    ],
  ])('hands everything to the client in a call %s', async (_, client, more) => {
    expect(await runMcpTool(show, { title: 'Trip', items, ...more }, client)).toEqual([
      { type: 'text', text: '{"status":"handed to the client, which may show it"}' },
      { type: 'text', text: `**Trip**\n\n${SHOWN}`, annotations: { audience: ['user'] } },
      picture,
    ]);
  });

  test.each([
    [{ kind: 'table' }, 'a table needs "rows"'],
    [{ kind: 'code' }, 'it needs "text"'],
    [{ kind: 'image', text: 'https://example.com/a.png' }, 'an image is a data: address'],
    [{ text: 'x'.repeat(60_001) }, 'at most 60,000'],
  ])('refuses %o', (given, why) => {
    expect(item.safeParse(given).error?.issues[0]?.message).toContain(why);
  });
});
