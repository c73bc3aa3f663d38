import { expect, it } from 'vitest';
import { claimsOf } from '#src/mcp/request/claims.ts';

it.each([
  [undefined, {}],
  [{}, {}],
  [{ name: '' }, {}],
  [
    { name: 'editor', version: '2' },
    { client: 'editor 2', program: { name: 'editor', version: '2' } },
  ],
  [
    { name: 'editor', title: 'Editor' },
    { client: 'Editor', program: { name: 'editor', version: '' } },
  ],
  [{ version: '2' }, { client: '2' }],
])('a client that says %j of itself claims %j, and nothing where it says nothing', (clientInfo, claims) => {
  expect(claimsOf({ clientInfo, params: {} })).toStrictEqual(claims);
});

it('a name without end is cut', () => {
  const { program } = claimsOf({ clientInfo: { name: 'x'.repeat(1e6), version: '1' }, params: {} });
  expect(program?.name).toHaveLength(200);
});

it('the chat that a call comes from is claimed where it is text', () => {
  const chat = (id: unknown) =>
    claimsOf({ clientInfo: {}, params: { _meta: { 'vscode.conversationId': id } } });
  expect(chat('c1')).toStrictEqual({ chat: 'c1' });
  expect(chat(7)).toStrictEqual({});
});
