import type { StoredOAuthTokens } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { withOneRefresh } from '#src/mcp/client/login/one-refresh.ts';

const tokens = (n: number): StoredOAuthTokens => ({
  access_token: `access ${n}`,
  refresh_token: `refresh ${n}`,
  token_type: 'Bearer',
  issuer: 'https://login.example.com',
});

/** An authorization server that ends a login whose refresh token comes twice. */
function strict(kept: () => StoredOAuthTokens | undefined) {
  const seen: string[] = [];
  let status = 200;
  const send = withOneRefresh(
    async (_, init) => {
      const token = new URLSearchParams(String(init?.body)).get('refresh_token') ?? '';
      seen.push(token);
      return Response.json(tokens(seen.length + 1), { status });
    },
    async () => kept(),
  );
  const refresh = async (token: string, scope = '') => {
    const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: token, scope });
    const response = await send('https://login.example.com/token', { method: 'POST', body });
    return response.status === 200
      ? ((await response.json()) as StoredOAuthTokens).access_token
      : response.status;
  };
  return {
    seen,
    refresh,
    answers: (next: number) => {
      status = next;
    },
  };
}

describe('a refresh token', () => {
  it('is brought once, however many ask with it, and all of them get what the first got', async () => {
    const { seen, refresh } = strict(() => tokens(1));
    const got = await Promise.all([refresh('refresh 1'), refresh('refresh 1'), refresh('refresh 1')]);
    expect([got, await refresh('refresh 1')]).toEqual([['access 2', 'access 2', 'access 2'], 'access 2']);
    expect(seen).toEqual(['refresh 1']);
  });

  it('is not brought when another program has got a newer one: that is given', async () => {
    const { seen, refresh } = strict(() => tokens(7));
    expect([await refresh('refresh 1'), seen]).toEqual(['access 7', []]);
  });

  it('is brought again after it failed, and for other scopes', async () => {
    const { seen, refresh, answers } = strict(() => tokens(1));
    answers(503);
    expect(await refresh('refresh 1')).toBe(503);
    answers(200);
    expect(await refresh('refresh 1')).toBe('access 3');
    expect(await refresh('refresh 1', 'more')).toBe('access 4');
    expect(seen).toHaveLength(3);
  });

  it('that is refused because another program brought it at the same moment gives what that one keeps a moment later', async () => {
    let looks = 0;
    const send = withOneRefresh(
      async () => Response.json({ error: 'invalid_grant' }, { status: 400 }),
      async () => tokens(looks > 2 ? 9 : 1),
      async () => {
        looks += 1;
      },
    );
    const refresh = (token: string) =>
      send('https://login.example.com/token', {
        method: 'POST',
        body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: token }),
      });
    expect(await (await refresh('refresh 1')).json()).toEqual(tokens(9));
    expect(looks).toBe(3);
    const over = await refresh('refresh 9');
    expect([over.status, await over.json()]).toEqual([400, { error: 'invalid_grant' }]);
  });
});
