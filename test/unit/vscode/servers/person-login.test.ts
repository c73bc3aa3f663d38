import { type Operation, run } from 'effection';
import { expect, it, vi } from 'vitest';

vi.mock('vscode', () => ({
  l10n: { t: (text: string) => text },
  window: { showInformationMessage: async (_question: string, logIn: string) => logIn },
}));
vi.mock('#src/vscode/editor/open-page.ts', () => ({
  *openPage() {
    return true;
  },
}));

const loginWith = async (parts: object) => {
  const { personLogin } = await import('#src/vscode/servers/login/person-login.ts');
  return personLogin(
    { owner: 'me', name: 'one' } as never,
    { kind: 'http', name: 'one', url: 'https://example.com/mcp', headers: {} },
    { edge: {}, vault: {}, callbacks: { redirect: 'http://127.0.0.1:1/login' }, ...parts } as never,
  );
};

it('a window takes its turn of all windows that keep the same login', async () => {
  const turn = async () => undefined;
  expect((await loginWith({ turn })).turn).toBe(turn);
});

it('a person who cancels at the login page is not logged in, and asked again only when they want it', async () => {
  const login = await loginWith({
    edge: { promise: <T>(operation: () => Operation<T>) => run(operation) },
    vault: {
      *login() {
        return undefined;
      },
    },
    callbacks: {
      redirect: 'http://127.0.0.1:1/login',
      *expect(state: string) {
        return new URLSearchParams({ state, error: 'access_denied', code: 'forged' });
      },
    },
  });
  await login.provider.redirectToAuthorization(new URL('https://auth.example.com/authorize?state=s'));
  expect(login.refused).toBe(false);
  await expect(login.answer(new AbortController().signal)).rejects.toThrow('You have not logged in.');
  expect(login.refused).toBe(true);
  login.again();
  expect(login.refused).toBe(false);
});
