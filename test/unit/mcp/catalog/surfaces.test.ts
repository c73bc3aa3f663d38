import { createMcpRegistry } from 'parley-mcp';
import { expect, it } from 'vitest';
import { bothEras } from '#test/mcp/kit/edge.ts';
import { startServer } from '#test/mcp/kit/in-process.ts';
import { tool } from '#test/unit/runtime/session-kit.ts';

const probe = tool(function* () {
  return 'it ran';
});

async function start(options: Partial<Parameters<typeof startServer>[0]>) {
  const running = await startServer({ tools: [probe], ...options });
  return await bothEras(running.url);
}

it('a chain with unknown steps blames those alone, and runs nothing', async () => {
  const steps = ['probe', 'nope', 'probe', 'nope', 'none'].map((name) => ({ name }));
  for (const client of await start({ progressive: true })) {
    const result = await client.request('tools/call', { name: 'run_chain', arguments: { steps } });
    expect(result).toMatchObject({ isError: true });
    expect(result.content[0].text).toMatch(/there is no tool 'nope' or 'none'\./);
  }
});

it.each([
  ['alone', ['describe_tool', 'probe', 'search_tools']],
  ['beside', ['describe_tool', 'list_namespaces', 'probe', 'run_chain', 'run_tool', 'search_tools']],
] as const)('what runs code is there %s', async (withCode, names) => {
  const code = () => ({ tool: () => probe, declare: () => 'declare const x: 1;' });
  for (const client of await start({ progressive: { code, withCode } })) {
    const { tools } = await client.request('tools/list');
    expect(tools.map(({ name }: { name: string }) => name)).toEqual(names);
    const about = withCode === 'alone' ? { names: ['probe'] } : { name: 'probe', detail: 'typescript' };
    const declared = await client.request('tools/call', { name: 'describe_tool', arguments: about });
    expect(declared.content[0].text).toBe('declare const x: 1;');
  }
});

it.each([
  [150, true],
  [false as const, undefined],
])('a server whose listChanged is %s declares it so', async (listChanged, declared) => {
  const [, client] = await start({ tools: createMcpRegistry([probe]), listChanged });
  expect((await client.request('server/discover')).capabilities.tools.listChanged).toBe(declared);
});
