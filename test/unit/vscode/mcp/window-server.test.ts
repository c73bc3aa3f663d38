import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ElicitRequestSchema, ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { type Operation, until, withResolvers } from 'effection';
import { describe, expect, it } from 'vitest';
import type { Endpoint } from '#src/cli/setup/agents.ts';
import { hasToken } from '#src/vscode/agents/mcp/same-window.ts';
import { asking, callText, connect, createDisk, inWindow, type TestWindow } from './window-kit.ts';

const names = async (client: Awaited<ReturnType<typeof connect>>) =>
  (await client.listTools()).tools.map(({ name }) => name).sort();

describe('the MCP server of a window', () => {
  it('lists to its own Copilot what the manifest does not, and everything to others', () =>
    inWindow(function* ({ server }) {
      const copilot = yield* until(connect(yield* server.forCopilot()));
      const other = yield* until(connect(yield* server.forClient('Cursor')));
      expect(yield* until(names(copilot))).toEqual(['dynamic']);
      expect(yield* until(names(other))).toEqual(['dynamic', 'shipped']);
      const refused = copilot.callTool({ name: 'shipped', arguments: {} });
      expect(yield* until(refused.then(String, String))).toMatch(/Unknown tool/);
      yield* until(Promise.all([copilot.close(), other.close()]));
    }));

  it('answers in the editor what its own Copilot could answer itself', () =>
    inWindow(function* ({ server, adopted }) {
      const copilot = yield* until(connect(yield* server.forCopilot(), 'copilot'));
      expect(yield* until(callText(copilot, 'dynamic'))).toBe('answered by editor');
      expect(adopted.map(({ toolName }) => toolName)).toEqual(['dynamic']);
      yield* until(copilot.close());
    }));

  it('lets another client answer where it can, and answers for it where it cannot', () =>
    inWindow(function* ({ server }) {
      const endpoint = yield* server.forClient('Cursor');
      const able = yield* until(connect(endpoint, 'the client'));
      const unable = yield* until(connect(endpoint));
      expect(yield* until(callText(able, 'shipped'))).toBe('answered by the client');
      expect(yield* until(callText(unable, 'shipped'))).toBe('answered by editor');
      yield* until(Promise.all([able.close(), unable.close()]));
    }));

  it('does not even list what a client cannot answer, when the setting leaves it to the client', () =>
    inWindow(
      function* ({ server }) {
        const unable = yield* until(connect(yield* server.forClient('Cursor')));
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
      const old = yield* server.forClient('Cursor');
      const status = (token: string) =>
        fetch(old.url, {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
          body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
        }).then((response) => response.status);
      expect(yield* until(status('x'))).toBe(401);
      expect(yield* until(status(''))).toBe(401);
      expect(yield* until(status(old.token))).not.toBe(401);
      yield* server.shutOut();
      expect(yield* until(status(old.token))).toBe(401);
      expect(yield* until(status((yield* server.forClient('Cursor')).token))).not.toBe(401);
    }));

  it('gives each client a token and a name of its own, by which its calls are known', () =>
    inWindow(function* ({ server, adopted, askers }) {
      const first = yield* server.forClient('Cursor');
      const second = yield* server.forClient('Cursor');
      expect([first.name, second.name]).toEqual(['Cursor', 'Cursor 2']);
      expect(second.token).not.toBe(first.token);
      for (const endpoint of [first, second]) {
        const client = yield* until(connect(endpoint));
        yield* until(callText(client, 'dynamic'));
        yield* until(client.close());
      }
      expect(askers.map((asker) => ('name' in asker ? asker.name : ''))).toEqual(['Cursor', 'Cursor 2']);
      expect(new Set(adopted.map(({ principal }) => principal)).size).toBe(2);
    }));

  it('knows a client by the name it was given, whatever it says of itself, and the agent by its chats', () =>
    inWindow(function* ({ server, askers }) {
      const client = yield* until(connect(yield* server.forClient('Cursor')));
      yield* until(callText(client, 'dynamic'));
      const copilot = yield* until(connect(yield* server.forCopilot()));
      for (const chat of ['a', 'b', 'a']) {
        const _meta = { 'vscode.conversationId': chat };
        yield* until(copilot.callTool({ name: 'dynamic', arguments: {}, _meta }));
      }
      expect(askers).toEqual([
        { kind: 'client', name: 'Cursor', says: 'test 1' },
        { kind: 'agent', name: 'the agent' },
        { kind: 'agent', name: 'the agent, chat 2' },
        { kind: 'agent', name: 'the agent' },
      ]);
      yield* until(Promise.all([client.close(), copilot.close()]));
    }));

  it('lists many tools as a few that search them, and asks for each that runs inside by its own name', () =>
    inWindow(function* ({ server, workspace, inner, logged }) {
      const writing = (name: string) => {
        const { def, ...rest } = asking(name);
        return { ...rest, def: { ...def, annotations: {} } };
      };
      const many = Array.from({ length: 50 }, (_, at) => asking(`report_${at}`));
      workspace.replace({
        tools: [...many, writing('writes'), writing('never_writes')].map((tool) => ({ tool })),
      });
      const copilot = yield* until(connect(yield* server.forCopilot()));
      expect(yield* until(names(copilot))).toEqual(expect.arrayContaining(['run_tool', 'search_tools']));
      const runs = (name: string) =>
        copilot.callTool({ name: 'run_tool', arguments: { name, arguments: {} } }).then(JSON.stringify);
      expect(yield* until(runs('report_7'))).toContain('answered by editor');
      expect(inner).toEqual([]);
      expect(yield* until(runs('writes'))).toContain('answered by editor');
      expect(yield* until(runs('never_writes'))).not.toContain('answered by editor');
      expect(inner).toEqual(['writes', 'never_writes']);
      expect(logged.filter((line) => line.startsWith('error'))).toEqual([]);
      yield* until(copilot.close());
    }));

  it('tells the client’s model that tools ask by themselves', () =>
    inWindow(function* ({ server }) {
      const copilot = yield* until(connect(yield* server.forCopilot()));
      expect(copilot.getInstructions()).toContain('Do not ask the user for it in chat first');
      yield* until(copilot.close());
    }));

  it('shuts out one client, and the others stay connected', () =>
    inWindow(function* ({ server }) {
      const one = yield* until(connect(yield* server.forClient('Cursor')));
      const other = yield* until(connect(yield* server.forClient('Gemini CLI')));
      const [cursor] = yield* server.clients();
      yield* server.shutOut(cursor?.id);
      expect((yield* server.clients()).map(({ name }) => name)).toEqual(['Gemini CLI']);
      expect(yield* until(one.listTools().then(String, () => 'refused'))).toBe('refused');
      expect(yield* until(names(other))).toEqual(['dynamic', 'shipped']);
      yield* until(Promise.all([one.close(), other.close()]));
    }));

  it('gives a client that comes back under the same name none of what the one before left', () =>
    inWindow(function* ({ server, adopted }) {
      for (let time = 0; time < 2; time++) {
        const endpoint = yield* server.forClient('Cursor');
        const client = yield* until(connect(endpoint));
        yield* until(callText(client, 'dynamic'));
        yield* until(client.close());
        yield* server.shutOut();
        expect(endpoint.name).toBe('Cursor');
      }
      expect(new Set(adopted.map(({ principal }) => principal)).size).toBe(2);
    }));

  it('gives no more tokens than anybody can look after', () =>
    inWindow(function* ({ server }) {
      for (let count = 0; count < 50; count++) yield* server.forClient('MCP client');
      let refused = '';
      try {
        yield* server.forClient('MCP client');
      } catch (error) {
        refused = String(error);
      }
      expect(refused).toContain('shut some out first');
    }));

  it('ends the connections of other clients when the token is reset, and not those of its own', () =>
    inWindow(function* ({ server }) {
      const other = yield* server.forClient('Cursor');
      const own = yield* server.forCopilot();
      const copilot = yield* until(connect(own));
      const client = yield* until(connect(other));
      yield* server.shutOut();
      expect(yield* until(client.listTools().then(String, () => 'refused'))).toBe('refused');
      expect(yield* until(names(copilot))).toEqual(['dynamic']);
      yield* until(Promise.all([copilot.close(), client.close()]));
    }));

  it('ends the open call of a client that is shut out, which says why', () =>
    inWindow(
      function* ({ server, adopted }) {
        const client = yield* until(connect(yield* server.forClient('Cursor'), 'nobody yet'));
        const asked = withResolvers<void>();
        client.setRequestHandler(ElicitRequestSchema, () => {
          asked.resolve();
          return new Promise<never>(() => {});
        });
        const call = client.callTool({ name: 'dynamic' }).catch(() => {});
        yield* asked.operation;
        yield* server.shutOut();
        expect(adopted[0]?.ended()).toMatchObject({
          type: 'aborted',
          reason: 'the token of its client was reset',
        });
        yield* until(client.close());
        yield* until(call);
      },
      { surfaces: { elicitation: 'client', sampling: 'client' } },
    ));

  it('has the same address and token for others after a reload, and another one for its own Copilot', async () => {
    const disk = createDisk();
    const seen: { url: string; token: string }[] = [];
    for (let reload = 0; reload < 2; reload++) {
      await inWindow(
        function* ({ server, logged }) {
          seen.push(yield* lasting({ server, logged }), yield* server.forCopilot());
        },
        { disk },
      );
    }
    expect(seen[2]).toEqual(seen[0]);
    expect(seen[3]?.token).not.toBe(seen[1]?.token);
  });

  it('moves to another port and to a new token when another program has taken its port, and says so', async () => {
    const disk = createDisk();
    const seen: { url: string; token: string }[] = [];
    const said: string[] = [];
    const visit = () =>
      inWindow(
        function* ({ server, logged }) {
          seen.push(yield* lasting({ server, logged }));
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

  it('leaves the port to another window of the workspace, with the same tokens, and saves none of its own', async () => {
    const disk = createDisk();
    await inWindow(
      function* (first) {
        const own = yield* lasting(first);
        yield* until(
          inWindow(
            function* (second) {
              const other = yield* lasting(second);
              expect(other.url).not.toBe(own.url);
              expect(other.token).toBe(own.token);
              expect(second.logged.filter((line) => line.startsWith('taken'))).toEqual([]);
            },
            { disk },
          ),
        );
        expect(disk.state.get('parley.mcp.port')).toBe(Number(new URL(own.url).port));
        expect(yield* lasting(first)).toEqual(own);
      },
      { disk },
    );
  });

  it('serves the clients of another window of the workspace when that is closed', async () => {
    const disk = createDisk();
    const [begun, closed] = [Promise.withResolvers<Endpoint>(), Promise.withResolvers<void>()];
    const first = inWindow(
      function* (window) {
        begun.resolve(yield* lasting(window));
        yield* until(closed.promise);
      },
      { disk },
    );
    const own = await begun.promise;
    await inWindow(
      function* (second) {
        expect((yield* lasting(second)).url).not.toBe(own.url);
        closed.resolve();
        yield* until(first);
        yield* until(expect.poll(() => connect(own).then(names, () => [])).toContain('dynamic'));
      },
      { disk },
    );
  });

  it('lets in a client that another window of the workspace gave a token', () => {
    const disk = createDisk();
    return inWindow(
      function* ({ server: first }) {
        const { url } = yield* first.forClient('Cursor');
        let given = '';
        yield* until(
          inWindow(
            function* ({ server: second }) {
              given = (yield* second.forClient('Gemini CLI')).token;
            },
            { disk },
          ),
        );
        const client = yield* until(connect({ url, token: given }));
        expect(yield* until(names(client))).toEqual(['dynamic', 'shipped']);
        yield* until(client.close());
      },
      { disk },
    );
  });

  it('proves that it has the secret without a word of it, and only for its own port', () => {
    const disk = createDisk();
    return inWindow(
      function* ({ server }) {
        const { url } = yield* server.forClient('Cursor');
        const token = disk.proof();
        const port = Number(new URL(url).port);
        expect(yield* hasToken(port, token)).toBe(true);
        expect(yield* hasToken(port, 'another')).toBe(false);
        // Somebody in between, on a port of their own, gets a code that is worth nothing there.
        const between = yield* until(relayTo(port));
        expect(yield* hasToken((between.address() as AddressInfo).port, token)).toBe(false);
        yield* until(new Promise((resolve) => between.close(resolve)));
        const asked = yield* until(fetch(new URL('/parley-window/x', url)));
        expect(asked.status).toBe(404);
      },
      { disk },
    );
  });
});

/** The one client that was given a token, whichever window did it. */
function* lasting({ server, logged }: Pick<TestWindow, 'server' | 'logged'>): Operation<Endpoint> {
  const [known] = yield* server.clients();
  if (!known) return yield* server.forClient('Cursor');
  const port = logged.join().match(/MCP clients of this machine are served on port (\d+)/)?.[1];
  const url = `http://127.0.0.1:${port}/mcp`;
  return { url, ...known } as Endpoint;
}

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
