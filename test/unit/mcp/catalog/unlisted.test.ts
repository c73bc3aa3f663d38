import { run, suspend } from 'effection';
import { createMcpPrompt, createMcpResource, createMcpTool } from 'parley-mcp';
import { expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { type ServerEntry, type Servers, useServers } from '#src/mcp/client/index.ts';
import { bothEras, type EdgeClient } from '#test/mcp/kit/edge.ts';
import { startServer } from '#test/mcp/kit/in-process.ts';
import { tool } from '#test/unit/runtime/session-kit.ts';

const guarded = tool(function* () {
  return 'deployed';
});

const guard = createMcpTool('guard')
  .description('Calls a tool that nobody else may call.')
  .parameters(z.object({ name: z.string().default('ops/probe') }))
  .elicits({})
  .execute(function* ({ name }, ctx) {
    return yield* ctx.call(name, {});
  });

const servedBehind = {
  tools: [guarded],
  prompts: [
    createMcpPrompt('plan')
      .description('A plan.')
      .arguments(z.object({}))
      .elicits({})
      .messages(function* () {
        return 'Plan it.';
      }),
  ],
  resources: [
    createMcpResource('ops://state', 'The state').read(function* () {
      return 'up';
    }),
  ],
};

type Started = Awaited<ReturnType<typeof startServer>>;

async function started(options: Parameters<typeof startServer>[0]): Promise<Started> {
  const server = await startServer(options);
  return server;
}

async function serversAt(entries: readonly ServerEntry[]): Promise<Servers> {
  const ready = Promise.withResolvers<Servers>();
  const task = run(function* () {
    const servers = yield* useServers(entries, { together: true });
    for (const connection of servers.connections) yield* connection.client();
    ready.resolve(servers);
    yield* suspend();
  });
  onTestFinished(() => task.halt());
  return await ready.promise;
}

/** Clients of a gateway to two servers, one of which is not listed. */
async function clientsOf(progressive: boolean): Promise<readonly EdgeClient[]> {
  const { url } = await started(servedBehind);
  const http = { kind: 'http', url: url.href, headers: {} } as const;
  const { tools, prompts, resources } = await serversAt([
    { ...http, name: 'ops', unlisted: true },
    { ...http, name: 'open' },
  ]);
  const gateway = await started({ tools: [guard, ...tools.list()], prompts, resources, progressive });
  return await bothEras(gateway.url);
}

const call = (name: string, args: object = {}) => ['tools/call', { name, arguments: args }] as const;

it('a server with "listed": false is called by tools, and clients are offered nothing of it', async () => {
  for (const client of await clientsOf(false)) {
    const { tools } = await client.request('tools/list');
    expect(tools.map(({ name }: { name: string }) => name)).toEqual(['guard', 'open__probe']);
    expect(await client.request(...call('ops__probe'))).toMatchObject({ code: -32_602 });
    expect(JSON.stringify(await client.request(...call('guard')))).toContain('deployed');
    const { prompts } = await client.request('prompts/list');
    expect(prompts).toMatchObject([{ name: 'open__plan' }]);
    const { resources } = await client.request('resources/list');
    expect(resources).toMatchObject([{ uri: 'parley:open/ops://state' }]);
  }
});

it('a tool that calls another by a name that is not quite right is told the right one', async () => {
  for (const client of await clientsOf(false)) {
    const said = async (name: string) => JSON.stringify(await client.request(...call('guard', { name })));
    expect(await said('ops/prbe')).toContain("no tool 'ops/prbe' to call here: did you mean 'ops/probe'?");
    expect(await said('gaurd')).toContain("did you mean 'guard'?");
    expect(await said('x'.repeat(100_000))).not.toContain('did you mean');
  }
});

it('a tool that is not listed is neither found nor run through the tools that search', async () => {
  for (const client of await clientsOf(true)) {
    const found = await client.request(...call('search_tools', { query: 'probe' }));
    expect(JSON.stringify(found)).toContain('open__probe');
    expect(JSON.stringify(found)).not.toContain('ops__probe');
    const ran = await client.request(...call('run_tool', { name: 'ops__probe', arguments: {} }));
    expect(ran).toMatchObject({ isError: true });
    expect(JSON.stringify(ran)).not.toContain('deployed');
  }
});
