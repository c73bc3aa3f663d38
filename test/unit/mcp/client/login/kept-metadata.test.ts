import { describe, expect, it } from 'vitest';
import { withKeptMetadata } from '#src/mcp/client/login/kept-metadata.ts';

const METADATA = 'https://login.example.com/.well-known/oauth-authorization-server/tenant';
const OPENID = 'https://login.example.com/tenant/.well-known/openid-configuration';
const RESOURCE = 'https://example.com/.well-known/oauth-protected-resource/mcp';
const TOKEN = 'https://login.example.com/token';

/** Asks with a clock of its own; `status` is what is answered from then on. */
function asker() {
  const asked: string[] = [];
  const world = { now: 0, status: 200 };
  const fetch = withKeptMetadata(
    async (input) => {
      asked.push(String(input));
      if (world.status === 0) throw new TypeError('fetch failed');
      return new Response(`answer ${asked.length}`, { status: world.status });
    },
    () => world.now,
  );
  const ask = async (url: string, method = 'GET') => await (await fetch(url, { method })).text();
  return { asked, world, ask };
}

describe('what is said of a login', () => {
  it.each([METADATA, OPENID])('by its authorization server is believed for some minutes: %s', async (url) => {
    const { world, ask } = asker();
    expect([await ask(url), await ask(url)]).toEqual(['answer 1', 'answer 1']);
    world.now = 299_999;
    expect(await ask(url)).toBe('answer 1');
    world.now = 300_000;
    expect(await ask(url)).toBe('answer 2');
  });

  it('by the server is asked anew each time, and once by all who ask at one moment', async () => {
    const { ask } = asker();
    expect(await Promise.all([ask(RESOURCE), ask(RESOURCE), ask(RESOURCE)])).toEqual([
      'answer 1',
      'answer 1',
      'answer 1',
    ]);
    expect(await ask(RESOURCE)).toBe('answer 2');
  });

  it('is not kept where it could not be read, or where something is refused', async () => {
    const { asked, world, ask } = asker();
    world.status = 503;
    await ask(METADATA);
    world.status = 0;
    await expect(ask(METADATA)).rejects.toThrow('fetch failed');
    world.status = 200;
    await ask(METADATA);
    await ask(TOKEN, 'POST');
    await ask(METADATA);
    expect(asked).toHaveLength(4);
    world.status = 400;
    await ask(TOKEN, 'POST');
    world.status = 200;
    await ask(METADATA);
    expect(asked).toHaveLength(6);
  });

  it('is kept of few addresses, and never of what is sent', async () => {
    const { asked, ask } = asker();
    for (let at = 0; at < 1_000; at++) await ask(`${METADATA}/${at}`);
    await ask(`${METADATA}/999`);
    await ask(`${METADATA}/0`);
    expect(asked).toHaveLength(1_001);
    await ask(TOKEN, 'POST');
    await ask(TOKEN, 'POST');
    expect(asked).toHaveLength(1_003);
  });
});
