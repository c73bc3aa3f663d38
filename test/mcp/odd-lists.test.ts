import { fileURLToPath } from 'node:url';
import { action, createScope, ensure, type Operation, run, spawn, suspend, until } from 'effection';
import { afterEach, describe, expect, it } from 'vitest';
import { createCodeMode } from '#src/code/code-mode.ts';
import { type Servers, useServers } from '#src/mcp/client/index.ts';
import { saidIn } from '#src/mcp/client/reader/read-answer.ts';
import { runMcpTool } from '#src/testing/index.ts';
import { sharedEngine } from '../unit/code/code-kit.ts';
import { client2025, client2026, http2025, http2026 } from './kit/clients.ts';
import { bothEras } from './kit/edge.ts';
import { nodeServer, textOf } from './kit/foreign.ts';
import { startServer } from './kit/in-process.ts';

const program = fileURLToPath(new URL('./kit/listing-server.ts', import.meta.url));

/** What a tool of the odd server says of the call, and of how often its list was read. */
interface Seen {
  readonly name: string;
  readonly lists: number;
  readonly told: number;
}

function* call(servers: Servers, name: string): Operation<Seen> {
  const tool = servers.tools.list().find((one) => one.name === name);
  if (!tool) throw new Error(`there is no '${name}'`);
  return JSON.parse(textOf(yield* runMcpTool(tool, {})));
}

describe('a server with 2,000 tools', () => {
  const engine = sharedEngine();
  const ended: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const end of ended.splice(0)) await end();
  });

  /** The server, as long as the test. */
  async function many(): Promise<Servers> {
    const [scope, destroy] = createScope();
    ended.push(async () => void (await destroy()));
    return await new Promise<Servers>((resolve, reject) => {
      scope
        .run(function* () {
          const servers = yield* useServers([nodeServer('many', program, 'many', '2000')]);
          for (const connection of servers.connections) yield* connection.client();
          resolve(servers);
          yield* suspend();
        })
        .catch(reject);
    });
  }

  it('is listed once, page by page, and the last of them is called as the first', async () => {
    const servers = await many();
    expect(servers.tools.list()).toHaveLength(2_000);
    const seen = await run(function* () {
      yield* call(servers, 'many__tool_0');
      return yield* call(servers, 'many__tool_1999');
    });
    // Four pages, read once: a call reads none.
    expect(seen).toMatchObject({ name: 'tool_1999', lists: 4 });
  });

  it('is more than are taken: of 6,000 the first 5,000 are, and that is said', () =>
    run(function* () {
      const said: string[] = [];
      const servers = yield* useServers([nodeServer('many', program, 'many', '6000')], {
        onLog: (_server, { message }) => said.push(message),
      });
      for (const connection of servers.connections) yield* connection.client();
      expect(servers.tools.list()).toHaveLength(5_000);
      expect(said.filter((line) => line.includes('6000 tools'))).toHaveLength(1);
    }));

  it('is passed on page by page, each once', async () => {
    const servers = await many();
    const running = await startServer({ tools: servers.tools });
    for (const client of await bothEras(running.url)) {
      const names = new Set<string>();
      let pages = 0;
      let cursor: string | undefined;
      do {
        const page = await client.request('tools/list', cursor === undefined ? {} : { cursor });
        for (const { name } of page.tools) names.add(name);
        cursor = page.nextCursor;
        pages += 1;
      } while (cursor !== undefined && pages < 100);
      expect(names.size).toBe(2_000);
      expect(pages).toBeLessThanOrEqual(40);
    }
  });

  it('is five tools where a catalogue is searched, and three where code uses it; each is found, read and run', async () => {
    const servers = await many();
    const mode = createCodeMode({
      *engine() {
        return engine();
      },
    });
    let code = false;
    const running = await startServer({
      tools: servers.tools,
      progressive: { above: 40, code: () => (code ? mode : undefined) },
    });
    for (const client of await bothEras(running.url)) {
      const said = async (name: string, args: object): Promise<string> => {
        const { content } = await client.request('tools/call', { name, arguments: args });
        return content[0].text;
      };
      code = false;
      const few = await client.request('tools/list');
      expect(few.tools).toHaveLength(5);
      expect(JSON.stringify(few).length).toBeLessThan(10_000);
      const found = JSON.parse(await said('search_tools', { query: 'thing 1998' }));
      expect(found.tools[0].name).toBe('many__tool_1998');
      expect(found.tools.length).toBeLessThanOrEqual(20);
      expect(JSON.parse(await said('list_namespaces', {})).namespaces).toEqual([
        { name: 'many', tools: 2_000 },
      ]);
      const ran = await said('run_tool', { name: 'many__tool_1998', arguments: {} });
      expect(JSON.parse(ran)).toMatchObject({ name: 'tool_1998', lists: 4 });

      code = true;
      expect((await client.request('tools/list')).tools).toHaveLength(3);
      const names = ['many__tool_7', 'many__tool_1999'];
      const declared = await said('describe_tool', { names });
      expect(declared).toContain('many__tool_1999(args?');
      expect(declared.length).toBeLessThan(2_000);
      const next = JSON.parse(await said('search_tools', { query: '', limit: 100 }));
      expect([next.tools.length, next.total]).toEqual([100, 2_000]);
    }
  });
});

it('a server that lists an odd tool has what of it can be read; what is none is left out, and said', () =>
  run(function* () {
    const said: string[] = [];
    const servers = yield* useServers([nodeServer('odd', program, 'broken')], {
      onLog: (_server, { message }) => said.push(message),
    });
    for (const connection of servers.connections) yield* connection.client();
    expect(servers.tools.list().map(({ name }) => name)).toEqual([
      'odd__bare',
      'odd__tool_0',
      expect.stringMatching(/^odd__called/),
    ]);
    expect(yield* call(servers, 'odd__tool_0')).toMatchObject({ name: 'tool_0' });
    const left = said.filter((line) => line.startsWith('one of its tools'));
    expect(left).toEqual([
      expect.stringMatching(
        /^one of its tools \('called[\x20-\x7e]*'\) is read in part: annotations\.title: /,
      ),
      expect.stringMatching(/is left out: must be an object/),
    ]);
  }));

it('a text of a tool that promises structured content reaches official clients of both eras', () =>
  run(function* () {
    const odd = fileURLToPath(new URL('../unit/mcp/client/reader/odd-server.ts', import.meta.url));
    const servers = yield* useServers([nodeServer('odd', odd, '2025', 'says more of results than it gives')]);
    for (const connection of servers.connections) yield* connection.client();
    const served = yield* until(startServer({ tools: servers.tools }));
    yield* ensure(() => until(served.close()));
    const at = { url: served.url, token: undefined };
    const [older, newer] = [client2025(), client2026()];
    yield* until(Promise.all([older.connect(http2025(at)), newer.connect(http2026(at))]));
    for (const client of [older, newer]) {
      yield* ensure(() => until(client.close()));
      // By the list it knows what it would refuse.
      yield* until<unknown>(client.listTools());
      const call = { name: 'odd__say', arguments: { text: 'hi' } };
      expect(textOf(yield* until<unknown>(client.callTool(call)))).toBe('said hi');
    }
  }));

it('a server whose list is 8 MiB a page, and never ends, is given up after some pages, and that is said', () =>
  run(function* () {
    const said: string[] = [];
    const servers = yield* useServers(
      [nodeServer('heavy', program, 'heavy'), nodeServer('calm', program, 'many', '1')],
      {
        onLog: (_server, { message }) => said.push(message),
      },
    );
    for (const connection of servers.connections) yield* connection.client();
    expect(servers.tools.list().map(({ name }) => name)).toEqual(['calm__tool_0']);
    expect(said.join('\n')).toContain('its tools could not be read');
    expect(said.join('\n')).toContain('tools/list is longer than');
    // Its other tools are not there, but it is: whoever knows a name may call it.
    const [heavy] = servers.connections;
    if (!heavy) throw new Error('it is not there');
    const client = yield* heavy.client();
    const answer = saidIn(yield* until(client.callTool({ name: 'tool_0', arguments: {} })));
    expect(JSON.parse(textOf(answer)).lists).toBeLessThan(8);
  }));

it('a server that says every 10 ms that its list has changed is read seldom, harms no other, ends its calls, and its last list wins', () =>
  run(function* () {
    const TOLD = 200;
    const servers = yield* useServers([
      nodeServer('stirs', program, 'stirs', String(TOLD)),
      nodeServer('calm', program, 'many', '3'),
    ]);
    for (const connection of servers.connections) yield* connection.client();
    let changes = 0;
    const stop = servers.tools.subscribe(() => {
      changes += 1;
    });
    const calm = servers.tools.list().filter(({ name }) => name.startsWith('calm__'));
    const stirring = yield* spawn(() => call(servers, 'stirs__tool_0'));
    const others: Seen[] = [];
    for (let n = 0; n < 50; n++) others.push(yield* call(servers, 'calm__tool_2'));
    // It is answered when the last change has been told.
    const { told, lists } = yield* stirring;
    expect(told).toBe(TOLD);
    expect(lists).toBeLessThan(TOLD / 5);
    yield* action<void>((resolve) => {
      const look = () => servers.tools.list().some(({ name }) => name === `stirs__list_${TOLD}`) && resolve();
      look();
      return servers.tools.subscribe(look);
    });
    stop();
    const after = yield* call(servers, `stirs__list_${TOLD}`);
    expect(changes).toBeLessThanOrEqual(after.lists);
    // The other one was read once, and its tools are the very same.
    expect(others.every((one) => one.lists === 1)).toBe(true);
    expect(servers.tools.list().filter(({ name }) => name.startsWith('calm__'))).toEqual(calm);
    for (const tool of calm) expect(servers.tools.list()).toContain(tool);
  }));
