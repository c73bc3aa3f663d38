import { expect, it, vi } from 'vitest';

vi.mock('vscode', () => ({}));

it('a window takes its turn of all windows that keep the same login', async () => {
  const { personLogin } = await import('#src/vscode/servers/login/person-login.ts');
  const turn = async () => undefined;
  const login = personLogin(
    { owner: 'me', name: 'one' } as never,
    { kind: 'http', name: 'one', url: 'https://example.com/mcp', headers: {} },
    { edge: {}, vault: {}, callbacks: { redirect: 'http://127.0.0.1:1/login' }, turn } as never,
  );
  expect(login.turn).toBe(turn);
});
