import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { until } from 'effection';
import { describe, expect, it } from 'vitest';
import { hasToken } from '#src/vscode/mcp/same-window.ts';
import { asking, callText, connect, createDisk, inWindow } from './window-kit.ts';

const names = async (client: Awaited<ReturnType<typeof connect>>) =>
  (await client.listTools()).tools.map(({ name }) => name).sort();

describe('the MCP server of a window', () => {
  it('lists to its own Copilot what the manifest does not, and everything to others', () =>
    inWindow(function* ({ server }) {
      const copilot = yield* until(connect(yield* server.forCopilot()));
      const other = yield* until(connect(yield* server.forOthers()));
      expect(yield* until(names(copilot))).toEqual(['dynamic']);
      expect(yield* until(names(other))).toEqual(['dynamic', 'shipped']);
      const refused = copilot.callTool({ name: 'shipped', arguments: {} });
      expect(yield* until(refused.then(String, String))).toMatch(/Unknown tool/);
      yield* until(Promise.all([copilot.close(), other.close()]));
    }));

  it('answers in the editor what its own Copilot could answer itself', () =>
    inWindow(function* ({ server, adopted, logged }) {
      const copilot = yield* until(connect(yield* server.forCopilot(), 'copilot'));
      expect(yield* until(callText(copilot, 'dynamic'))).toBe('answered by editor');
      expect(adopted.map(({ toolName }) => toolName)).toEqual(['dynamic']);
      expect(logged).toContain('dynamic info asking');
      yield* until(copilot.close());
    }));

  it('lets another client answer where it can, and answers for it where it cannot', () =>
    inWindow(function* ({ server }) {
      const endpoint = yield* server.forOthers();
      const able = yield* until(connect(endpoint, 'the client'));
      const unable = yield* until(connect(endpoint));
      expect(yield* until(callText(able, 'shipped'))).toBe('answered by the client');
      expect(yield* until(callText(unable, 'shipped'))).toBe('answered by editor');
      yield* until(Promise.all([able.close(), unable.close()]));
    }));

  it('does not even list what a client cannot answer, when the setting leaves it to the client', () =>
    inWindow(
      function* ({ server }) {
        const unable = yield* until(connect(yield* server.forOthers()));
        expect(yield* until(names(unable))).toEqual([]);
        yield* until(unable.close());
      },
      { surfaces: { elicitation: 'client' } },
    ));

  it('tells connected clients that tools came and went', () =>
    inWindow(function* ({ server, workspace }) {
      const copilot = yield* until(connect(yield* server.forCopilot()));
      const told = Promise.withResolvers<void>();
      copilot.setNotificationHandler(ToolListChangedNotificationSchema, () => told.resolve());
      yield* until(names(copilot));
      workspace.replace({ tools: [{ tool: asking('another') }] });
      yield* until(told.promise);
      expect(yield* until(names(copilot))).toEqual(['another']);
      yield* until(copilot.close());
    }));

  it('refuses whoever has no token, or an old one', () =>
    inWindow(function* ({ server }) {
      const old = yield* server.forOthers();
      const status = (token: string) =>
        fetch(old.url, {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
          body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
        }).then((response) => response.status);
      expect(yield* until(status('x'))).toBe(401);
      expect(yield* until(status(''))).toBe(401);
      expect(yield* until(status(old.token))).not.toBe(401);
      yield* server.resetToken();
      expect(yield* until(status(old.token))).toBe(401);
      expect(yield* until(status((yield* server.forOthers()).token))).not.toBe(401);
    }));

  it('ends the connections of other clients when the token is reset, and not those of its own', () =>
    inWindow(function* ({ server }) {
      const other = yield* server.forOthers();
      const own = yield* server.forCopilot();
      const copilot = yield* until(connect(own));
      const client = yield* until(connect(other));
      yield* server.resetToken();
      expect(yield* until(client.listTools().then(String, () => 'refused'))).toBe('refused');
      expect(yield* until(names(copilot))).toEqual(['dynamic']);
      yield* until(Promise.all([copilot.close(), client.close()]));
    }));

  it('has the same address and token for others after a reload, and another one for its own Copilot', async () => {
    const disk = createDisk();
    const seen: { url: string; token: string }[] = [];
    for (let reload = 0; reload < 2; reload++) {
      await inWindow(
        function* ({ server }) {
          seen.push(yield* server.forOthers(), yield* server.forCopilot());
        },
        { disk },
      );
    }
    expect(seen[2]).toEqual(seen[0]);
    expect(seen[3]?.token).not.toBe(seen[1]?.token);
    expect([...disk.secrets.values()]).toEqual([seen[0]?.token]);
  });

  it('moves to another port and to a new token when another program has taken its port, and says so', async () => {
    const disk = createDisk();
    const seen: { url: string; token: string }[] = [];
    const said: string[] = [];
    const visit = () =>
      inWindow(
        function* ({ server, logged }) {
          seen.push(yield* server.forOthers());
          said.push(...logged.filter((line) => line.startsWith('taken')));
        },
        { disk },
      );
    await visit();
    const port = Number(new URL(seen[0]?.url ?? '').port);
    // It says yes to everything, as somebody who is after tokens would.
    const squatter = await listening(port);
    await visit();
    await new Promise((resolve) => squatter.close(resolve));
    await visit();
    expect(seen[1]?.url).not.toBe(seen[0]?.url);
    expect(seen[1]?.token).not.toBe(seen[0]?.token);
    expect(said).toEqual([`taken: ${port}`]);
    expect(seen[2]).toEqual(seen[1]);
  });

  it('leaves the port to another window of the workspace, with the same token, and saves none of its own', async () => {
    const disk = createDisk();
    await inWindow(
      function* ({ server: first }) {
        const own = yield* first.forOthers();
        yield* until(
          inWindow(
            function* ({ server: second, logged }) {
              const other = yield* second.forOthers();
              expect(other.url).not.toBe(own.url);
              expect(other.token).toBe(own.token);
              expect(logged.filter((line) => line.startsWith('taken'))).toEqual([]);
            },
            { disk },
          ),
        );
        expect(disk.state.get('parley.mcp.port')).toBe(Number(new URL(own.url).port));
        expect(yield* first.forOthers()).toEqual(own);
      },
      { disk },
    );
  });

  it('proves that it has the token without a word of it, and only for its own port', () =>
    inWindow(function* ({ server }) {
      const { url, token } = yield* server.forOthers();
      const port = Number(new URL(url).port);
      expect(yield* hasToken(port, token)).toBe(true);
      expect(yield* hasToken(port, 'another')).toBe(false);
      // Somebody in between, on a port of their own, gets a code that is worth nothing there.
      const between = yield* until(relayTo(port));
      expect(yield* hasToken((between.address() as AddressInfo).port, token)).toBe(false);
      yield* until(new Promise((resolve) => between.close(resolve)));
      const asked = yield* until(fetch(new URL('/parley-window/x', url)));
      expect(asked.status).toBe(404);
    }));
});

function listening(port: number): Promise<Server> {
  const server = createServer((_req, res) => res.end('yes'));
  return new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve(server)));
}

function relayTo(port: number): Promise<Server> {
  const server = createServer(async (req, res) => {
    res.end(await (await fetch(`http://127.0.0.1:${port}${req.url}`)).text());
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}
