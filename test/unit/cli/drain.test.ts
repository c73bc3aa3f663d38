import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { createDrain } from '#src/cli/serving/drain.ts';
import { listening } from '#test/listening.ts';

/** Longer than any test. */
const LONG = 600_000;

async function serving(listener: RequestListener): Promise<string> {
  return `http://127.0.0.1:${await listening(createServer(listener))}/`;
}

test('a request that no call runs for yet is waited for, and those that come meanwhile are refused', async () => {
  const held = Promise.withResolvers<ServerResponse>();
  let looks = 0;
  const drain = createDrain({
    async holdings() {
      looks += 1;
      if (looks === 10) (await held.promise).end('served');
      return [];
    },
  });
  const url = await serving((req, res) => {
    if (!drain.refuse(req, res)) held.resolve(res);
  });
  const answer = fetch(url);
  await held.promise;
  const ending = drain.run(LONG);
  expect((await fetch(url)).status).toBe(503);
  await ending;
  expect(looks).toBeGreaterThanOrEqual(10);
  expect(await (await answer).text()).toBe('served');
});

test('a stream that has begun is not waited for', async () => {
  const drain = createDrain({ holdings: async () => [] });
  const url = await serving((req, res) => {
    if (!drain.refuse(req, res)) res.writeHead(200).flushHeaders();
  });
  expect((await fetch(url)).status).toBe(200);
  await drain.run(LONG);
});

test('nor is a request whose client has gone', async () => {
  const drain = createDrain({ holdings: async () => [] });
  const came = Promise.withResolvers<ServerResponse>();
  const url = await serving((req, res) => {
    if (!drain.refuse(req, res)) came.resolve(res);
  });
  const gone = new AbortController();
  const answer = fetch(url, { signal: gone.signal });
  const res = await came.promise;
  const closed = once(res, 'close');
  gone.abort();
  await expect(answer).rejects.toThrow();
  await closed;
  await drain.run(LONG);
});
