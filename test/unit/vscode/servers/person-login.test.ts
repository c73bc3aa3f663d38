import { type Operation, run } from 'effection';
import { expect, it, vi } from 'vitest';

/** What the person does with the notification. */
const pressed = vi.hoisted(() => ({ with: async (logIn: string): Promise<string | undefined> => logIn }));

vi.mock('vscode', () => ({
  l10n: { t: (text: string) => text },
  window: {
    showInformationMessage: (_question: string, logIn: string) => pressed.with(logIn),
  },
}));
vi.mock('#src/vscode/calls/editor/open-page.ts', () => ({
  *openPage() {
    return true;
  },
}));

const loginWith = async (parts: object) => {
  const { personLogin } = await import('#src/vscode/servers/login/person-login.ts');
  return personLogin(
    { owner: 'me', name: 'one' } as never,
    { kind: 'http', name: 'one', url: 'https://example.com/mcp', headers: {} },
    {
      edge: {},
      vault: {},
      callbacks: { redirect: 'http://127.0.0.1:1/login' },
      changed() {},
      ...parts,
    } as never,
  );
};

it('a window takes its turn of all windows that keep the same login', async () => {
  const turn = async () => undefined;
  expect((await loginWith({ turn })).turn).toBe(turn);
});

/** A login whose page sends this back. */
const answered = (query: URLSearchParams) => ({
  edge: { promise: <T>(operation: () => Operation<T>) => run(operation) },
  vault: {
    *login() {
      return undefined;
    },
  },
  callbacks: {
    redirect: 'http://127.0.0.1:1/login',
    *expect() {
      return query;
    },
  },
});

it('a person who cancels at the login page is not logged in, and asked again only when they want it', async () => {
  const login = await loginWith(
    answered(new URLSearchParams({ state: 's', error: 'access_denied', code: 'forged' })),
  );
  await login.provider.redirectToAuthorization(new URL('https://auth.example.com/authorize?state=s'));
  expect(login.refused).toBe(false);
  await expect(login.answer(new AbortController().signal)).rejects.toThrow('You are not logged in.');
  expect(login.refused).toBe(true);
  login.again();
  expect(login.refused).toBe(false);
});

it('a login waits while its notification is open, and a press of its row answers it', async () => {
  pressed.with = () => new Promise(() => {});
  let asks = 0;
  const told = Promise.withResolvers<void>();
  const query = new URLSearchParams({ state: 's', code: 'c' });
  const login = await loginWith({
    ...answered(query),
    changed() {
      asks += 1;
      told.resolve();
    },
  });
  await login.provider.redirectToAuthorization(new URL('https://auth.example.com/authorize?state=s'));
  const answer = login.answer(new AbortController().signal);
  await told.promise;
  expect([login.asks, login.refused]).toEqual([true, false]);
  expect(login.agree()).toBe(false);
  expect(await answer).toEqual(query);
  expect([login.asks, asks]).toEqual([false, 2]);
});

it('a person who dismissed the notification is asked no more, and logs in by the row', async () => {
  pressed.with = async () => undefined;
  const query = new URLSearchParams({ state: 's', code: 'c' });
  const login = await loginWith(answered(query));
  const begin = () =>
    login.provider.redirectToAuthorization(new URL('https://auth.example.com/authorize?state=s'));
  await begin();
  await expect(login.answer(new AbortController().signal)).rejects.toThrow('You are not logged in.');
  expect(login.refused).toBe(true);
  pressed.with = () => {
    throw new Error('they are asked again');
  };
  expect(login.agree()).toBe(true);
  expect(login.refused).toBe(false);
  await begin();
  expect(await login.answer(new AbortController().signal)).toEqual(query);
});
