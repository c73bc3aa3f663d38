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
    { kept: async () => kept() },
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
    const send = withOneRefresh(async () => Response.json({ error: 'invalid_grant' }, { status: 400 }), {
      kept: async () => tokens(looks > 2 ? 9 : 1),
      pause: async () => {
        looks += 1;
      },
    });
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

  describe('that two programs would bring at one moment', () => {
    /** Programs of one login, at an authorization server that answers when the test says so. */
    function programs(rotates: boolean) {
      let kept = tokens(1);
      const held = new Set<string>();
      const waiting: PromiseWithResolvers<Response>[] = [];
      const nap = () => new Promise((resolve) => setImmediate(resolve));
      const program = () => {
        const send = withOneRefresh(
          () => {
            const answer = Promise.withResolvers<Response>();
            waiting.push(answer);
            return answer.promise;
          },
          {
            kept: async () => kept,
            async turn(name) {
              if (held.has(name)) return undefined;
              held.add(name);
              return async () => void held.delete(name);
            },
            pause: nap,
          },
        );
        return async () => {
          const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'refresh 1' });
          const response = await send('https://login.example.com/token', { method: 'POST', body });
          if (response.status !== 200) return response.status;
          kept = (await response.json()) as StoredOAuthTokens;
          return kept.access_token;
        };
      };
      const next: StoredOAuthTokens = rotates ? tokens(2) : { ...tokens(2), refresh_token: 'refresh 1' };
      const asked = async (count: number) => {
        // Fewer than the looks after which a program no longer waits.
        for (let turns = 0; turns < 50; turns += 1) await nap();
        expect(waiting).toHaveLength(count);
      };
      return { one: program(), other: program(), waiting, held, next, asked };
    }

    it.each([true, false])('is brought once, also where it stays the same: %s', async (rotates) => {
      const { one, other, waiting, held, next, asked } = programs(rotates);
      const got = Promise.all([one(), other()]);
      await asked(1);
      waiting[0]?.resolve(Response.json(next));
      expect(await got).toEqual(['access 2', 'access 2']);
      await asked(1);
      expect(held).toEqual(new Set());
    });

    it('is brought by the second when the first failed', async () => {
      const { one, other, waiting, next, asked } = programs(true);
      const got = Promise.all([one(), other()]);
      await asked(1);
      waiting[0]?.resolve(new Response('busy', { status: 503 }));
      await asked(2);
      waiting[1]?.resolve(Response.json(next));
      expect((await got).sort()).toEqual([503, 'access 2']);
    });
  });
});
