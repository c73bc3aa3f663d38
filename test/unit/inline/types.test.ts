import { McpServer as Server1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { McpServer as Server2 } from '@modelcontextprotocol/server';
import { FastMCP } from 'fastmcp';
import { createMcpTool } from 'parley-mcp';
import { inline } from 'parley-mcp/inline';
import { expect, test } from 'vitest';
import * as z from 'zod';

const straight = inline();
const info = { name: 'theirs', version: '1.0.0' } as const;
const branch = z.object({ branch: z.string() });

test('arguments and answers have their types in the servers of SDK v1, SDK v2 and fastmcp', () => {
  new Server2(info).registerTool(
    'a',
    { inputSchema: branch },
    straight(function* a(args, ctx) {
      const said = yield* ctx.elicit.strict({ message: args.branch, schema: z.object({ n: z.number() }) });
      // @ts-expect-error n is a number
      said.n.toUpperCase();
      return said.n.toFixed();
    }),
  );
  new Server1(info).registerTool(
    'a',
    { inputSchema: { branch: z.string() } },
    straight(function* a(args) {
      // @ts-expect-error there is no such argument
      return args.nothing;
    }),
  );
  new FastMCP(info).addTool({
    name: 'a',
    parameters: branch,
    execute: straight('a', function* (args) {
      return args.branch.toUpperCase();
    }),
  });
  const tool = createMcpTool('a')
    .description('A.')
    .parameters(branch)
    .elicits({})
    .execute(function* (args) {
      return args.branch;
    });
  new Server2(info).registerTool('a', { inputSchema: branch }, straight(tool));
  new Server2(info, { requestState: { verify: straight.verify() } });
});

test('what is no handler is refused at once, in words', async () => {
  expect(() =>
    straight(function* () {
      return 1;
    }),
  ).toThrow('name the function as the tool');
  expect(() => inline({ key: [] } as object)).toThrow("inline knows no option 'key'");
  expect(() => inline({ keys: [new Uint8Array(16)] })).toThrow('a key has 32 bytes, not 16');
  const handler = straight('a', function* () {
    return 1;
  });
  await expect(handler({}, { some: 'host' })).rejects.toThrow('straight(…) is the handler of a tool');
});
