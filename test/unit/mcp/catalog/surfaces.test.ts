import { createMcpRegistry, createMcpTool } from 'parley-mcp';
import { afterEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { bothEras } from '#test/mcp/kit/edge.ts';
import { type InProcess, startServer } from '#test/mcp/kit/in-process.ts';

let running: InProcess | undefined;
afterEach(async () => {
  await running?.close();
  running = undefined;
});

const named = (name: string) =>
  createMcpTool(name)
    .description(`The tool ${name}`)
    .parameters(z.object({}))
    .annotations({ readOnlyHint: true })
    .elicits({})
    .execute(function* () {
      return `${name} ran`;
    });

async function start(options: Partial<Parameters<typeof startServer>[0]>) {
  running = await startServer({ tools: [named('in'), named('out')], ...options });
  return await bothEras(running.url);
}

it('a chain with unknown steps blames those alone, and runs nothing', async () => {
  const steps = ['in', 'nope', 'out', 'nope', 'none'].map((name) => ({ name }));
  for (const client of await start({ progressive: true })) {
    const result = await client.request('tools/call', { name: 'run_chain', arguments: { steps } });
    expect(result).toMatchObject({ isError: true });
    expect(result.content[0].text).toMatch(/there is no tool 'nope' or 'none'\./);
  }
});

describe('code mode', () => {
  const code = () => ({ tool: () => named('execute_code'), declare: () => 'declare const x: 1;' });
  const names = async (client: Awaited<ReturnType<typeof start>>[number]) =>
    (await client.request('tools/list')).tools.map(({ name }: { name: string }) => name);

  it('has the tools that run others beside its own where it is told so', async () => {
    for (const client of await start({ progressive: { code, withCode: 'beside' } })) {
      expect(await names(client)).toEqual([
        'describe_tool',
        'execute_code',
        'list_namespaces',
        'run_chain',
        'run_tool',
        'search_tools',
      ]);
      const declared = { name: 'describe_tool', arguments: { name: 'in', detail: 'typescript' } };
      expect(await client.request('tools/call', declared)).toMatchObject({
        content: [{ text: 'declare const x: 1;' }],
      });
      const chain = { name: 'run_chain', arguments: { steps: [{ name: 'in' }] } };
      expect((await client.request('tools/call', chain)).content[0].text).toContain('in ran');
    }
  });

  it('is alone otherwise', async () => {
    for (const client of await start({ progressive: { code } })) {
      expect(await names(client)).toEqual(['describe_tool', 'execute_code', 'search_tools']);
    }
  });
});

it.each([
  [undefined, true],
  [false as const, undefined],
])('a server whose listChanged is %s declares it so', async (listChanged, declared) => {
  const tools = createMcpRegistry([named('in')]);
  const [, client] = await start({ tools, ...(listChanged === undefined ? {} : { listChanged }) });
  const { capabilities } = await client.request('server/discover');
  expect(capabilities.tools.listChanged).toBe(declared);
});
