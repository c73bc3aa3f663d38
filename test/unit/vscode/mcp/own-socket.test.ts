import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { until } from 'effection';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createDisk, inWindow } from './window-kit.ts';

describe.skipIf(process.platform === 'win32')('the socket for the Copilot of a window', () => {
  it('is this user’s alone, wants the token, and is gone with the window; no port is open', async () => {
    const disk = createDisk();
    let path = '';
    await inWindow(
      function* ({ server }) {
        const { url, token } = yield* server.forCopilot();
        expect(url).toMatch(/^unix:\/\/\/.+#\/mcp$/);
        path = new URL(url).pathname;
        expect((yield* until(stat(dirname(path)))).mode & 0o777).toBe(0o700);
        expect(yield* until(list(path, 'somebody else’s'))).toMatchObject({ status: 401 });
        const answer = yield* until(list(path, token));
        expect(answer).toMatchObject({ status: 200 });
        expect(answer.body).toContain('"dynamic"');
        expect(answer.body).not.toContain('"shipped"');
        expect((yield* server.forCopilot()).url).toBe(url);
        expect(disk.state.keys()).toEqual([]);
      },
      { disk, socket: true },
    );
    await expect(stat(dirname(path))).rejects.toThrow(/ENOENT/);
  });

  it('serves beside the port that other clients were told', () =>
    inWindow(
      function* ({ server }) {
        const own = yield* server.forCopilot();
        const other = yield* server.forClient('Cursor');
        expect(other.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
        const { body } = yield* until(list(new URL(own.url).pathname, own.token));
        expect(body).toContain('"dynamic"');
      },
      { socket: true },
    ));

  it.each([
    ['is too long for one', 'x'.repeat(120)],
    ['has letters that no address has', 'a #b'],
  ])('is a port where the path of the folder for temporary files %s', async (_what, name) => {
    const base = await mkdtemp(join(tmpdir(), 'parley-test-'));
    onTestFinished(() => rm(base, { recursive: true }));
    await mkdir(join(base, name));
    vi.stubEnv('TMPDIR', join(base, name));
    onTestFinished(() => void vi.unstubAllEnvs());
    await inWindow(
      function* ({ server }) {
        const { url } = yield* server.forCopilot();
        expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
      },
      { socket: true },
    );
  });
});

/** What a client of 2026-07-28 is answered that asks for the tools, as VS Code asks at a socket. */
async function list(socketPath: string, token: string): Promise<{ status: number; body: string }> {
  const protocolVersion = '2026-07-28';
  const meta = {
    'io.modelcontextprotocol/protocolVersion': protocolVersion,
    'io.modelcontextprotocol/clientInfo': { name: 'c', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
  };
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const headers = {
      host: 'localhost',
      authorization: `Bearer ${encodeURIComponent(token)}`,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'mcp-protocol-version': protocolVersion,
      'mcp-method': 'tools/list',
    };
    request({ socketPath, path: '/mcp', method: 'POST', headers }, resolve)
      .once('error', reject)
      .end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: meta } }));
  });
  return { status: answer.statusCode ?? 0, body: await text(answer) };
}
