import { type Operation, run, sleep, spawn, until } from 'effection';
import { describe, expect, it } from 'vitest';
import { useCallbacks } from '#src/vscode/servers/login/callbacks.ts';

function* asItIs(address: string): Operation<string> {
  return address;
}

const texts = { thanks: 'Thanks', refused: (error: string) => `Refused: ${error}` };

describe('where login pages send the person back to', () => {
  it('hears what comes with a state that somebody waits for, once, and nothing else', () =>
    run(function* () {
      const { redirect, expect: expectState } = yield* useCallbacks(texts, asItIs);
      expect(redirect).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/login$/);
      const mine = yield* spawn(() => expectState('mine'));
      const other = yield* spawn(() => expectState('other'));
      const visit = (query: string, init?: RequestInit) => until(fetch(`${redirect}${query}`, init));
      expect((yield* visit('?code=1')).status).toBe(404);
      expect((yield* visit('?code=1&state=forged')).status).toBe(404);
      expect((yield* visit('/more?code=1&state=mine')).status).toBe(404);
      expect((yield* visit('?code=1&state=mine', { method: 'POST' })).status).toBe(404);
      const heard = yield* visit('?code=2&state=mine&iss=me');
      expect([heard.status, yield* until(heard.text())]).toEqual([200, 'Thanks']);
      expect(Object.fromEntries(yield* mine)).toEqual({ code: '2', state: 'mine', iss: 'me' });
      expect((yield* visit('?code=3&state=mine')).status).toBe(404);
      // What is not waited for any more is not heard.
      yield* other.halt();
      expect((yield* visit('?code=4&state=other')).status).toBe(404);
    }));

  it('says that the person is not logged in where the login page sends an error, in as many words as one reads', () =>
    run(function* () {
      const { redirect, expect: expectState } = yield* useCallbacks(texts, asItIs);
      for (const [error, said] of [
        ['access_denied', 'access_denied'],
        ['', ''],
        [`<script>${'x'.repeat(5000)}\u202e\n`, expect.stringMatching(/^<script>x{50,}…?$/)],
      ] as const) {
        const answer = yield* spawn(() => expectState('mine'));
        yield* sleep(0);
        const query = new URLSearchParams({ state: 'mine', error, code: '1' });
        const page = yield* until(fetch(`${redirect}?${query}`));
        expect(page.headers.get('content-type')).toBe('text/plain; charset=utf-8');
        expect(page.headers.get('x-content-type-options')).toBe('nosniff');
        const text = yield* until(page.text());
        expect(text.length).toBeLessThan(500);
        expect(text.replace('Refused: ', '')).toEqual(said);
        expect((yield* answer).get('error')).toBe(error);
      }
    }));

  it('is the address that the person’s browser reaches, which may be on another machine; as it is where that cannot be had', () =>
    run(function* () {
      const { redirect } = yield* useCallbacks(texts, function* (address) {
        return `https://window.example.com/proxy/${new URL(address).port}/login`;
      });
      expect(redirect).toMatch(/^https:\/\/window\.example\.com\/proxy\/\d+\/login$/);
      const alone = yield* useCallbacks(texts, function* () {
        throw new Error('no port can be forwarded');
      });
      expect(alone.redirect).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/login$/);
    }));

  it('is gone with whoever needed it', async () => {
    const { redirect } = await run(() => useCallbacks(texts, asItIs));
    await expect(fetch(redirect)).rejects.toThrow(/fetch failed/);
  });
});
