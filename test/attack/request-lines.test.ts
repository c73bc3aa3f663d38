import { join } from 'node:path';
import { call } from 'effection';
import * as fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { root, type Served, serveHttp } from '../mcp/kit/parley-serve.ts';
import { send } from '../mcp/kit/wire.ts';
import { inWindow } from '../unit/vscode/mcp/window-kit.ts';
import { sendBytes } from './kit/raw.ts';
import { requestBytes } from './kit/request-heads.ts';
import { figures, scaled } from './kit/scale.ts';

const wordCount = join(root, 'examples/workspace/.parley/tools/word-count.ts');

/** Targets that are no URL. Each ended `parley serve --http` before it looked at Host, Origin or token. */
const NO_URLS = ['//', '///', '/\\', '//[', '//:', 'http://[', 'http://:99999/', '//\\', '*', '/%', '/%00'];

let served: Served | undefined;
afterEach(async () => {
  await served?.stop('SIGKILL');
  served = undefined;
});

async function isServing(url: URL, token: string | undefined): Promise<void> {
  const body = { jsonrpc: '2.0', id: 1, method: 'server/discover', params: {} };
  const reply = await send(url, { body, headers: { authorization: `Bearer ${token}` } });
  expect([200, 400]).toContain(reply.status);
  await reply.rest();
}

/** Sends nonsense in batches, and sees after each that the server still serves. */
async function fuzz(title: string, url: URL, token: string | undefined): Promise<void> {
  const known = { host: url.host, authorization: `Bearer ${token}` };
  const statuses = new Map<string, number>();
  const batch = fc.array(fc.tuple(requestBytes(known), fc.integer({ min: 0, max: 9 })), {
    minLength: 50,
    maxLength: 50,
  });
  let sent = 0;
  await fc.assert(
    fc.asyncProperty(batch, async (requests) => {
      const outcomes = await Promise.all(
        requests.map(([bytes, luck]) =>
          sendBytes(Number(url.port), bytes, { abort: luck === 0, patience: 100 }),
        ),
      );
      sent += outcomes.length;
      for (const { text } of outcomes) {
        const status = /^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 'none';
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        expect(text).not.toMatch(/^HTTP\/1\.1 500/m);
      }
      await isServing(url, token);
    }),
    { numRuns: scaled(20), endOnFailure: true },
  );
  figures(title, { sent, ...Object.fromEntries([...statuses].sort()) });
}

describe('a request line that is no URL, from anybody', () => {
  it('is refused by `parley serve --http`, which goes on', async () => {
    served = await serveHttp([wordCount]);
    const { url, token } = served;
    for (const target of NO_URLS) {
      const bytes = Buffer.from(
        `GET ${target} HTTP/1.1\r\nHost: example.com\r\nOrigin: http://example.com\r\n\r\n`,
      );
      const { text } = await sendBytes(Number(url.port), bytes);
      expect(text, target).toMatch(/^HTTP\/1\.1 4\d\d /);
    }
    await isServing(url, token);
    expect(served.child.exitCode).toBeNull();
  });

  it("is refused by the window's server, which goes on, whatever era it names", async () => {
    await inWindow(function* ({ server, logged }) {
      const { url, token } = yield* server.forClient('Cursor');
      yield* call(async () => {
        for (const target of NO_URLS) {
          for (const version of ['2025-11-25', '2026-07-28']) {
            const head = `POST ${target} HTTP/1.1\r\nHost: ${new URL(url).host}\r\nAuthorization: Bearer ${token}\r\n`;
            const rest = `MCP-Protocol-Version: ${version}\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`;
            const { text } = await sendBytes(Number(new URL(url).port), Buffer.from(head + rest));
            expect(text, target).toMatch(/^HTTP\/1\.1 4\d\d /);
          }
        }
        await isServing(new URL(url), token);
      });
      expect(logged.filter((line) => line.startsWith('error'))).toEqual([]);
    });
  });
});

describe('request lines and headers made of nonsense', { tags: 'long' }, () => {
  it('never end `parley serve --http`', async () => {
    served = await serveHttp([wordCount]);
    await fuzz('request lines, parley serve', served.url, served.token);
    expect(served.child.exitCode).toBeNull();
    expect(served.stderr()).toBe('');
    expect(await served.stop()).toBe(0);
  }, 900_000);

  it("never end the window's server", async () => {
    await inWindow(function* ({ server, logged }) {
      const { url, token } = yield* server.forClient('Cursor');
      yield* call(() => fuzz("request lines, window's server", new URL(url), token));
      expect(logged.filter((line) => line.startsWith('error'))).toEqual([]);
    });
  }, 900_000);
});
