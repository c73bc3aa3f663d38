import { until } from 'effection';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { createMcpTool } from '#src/core/tool/create-mcp-tool.ts';
import { connect, inWindow } from './window-kit.ts';

const written: string[] = [];
const write = createMcpTool('write')
  .description('Writes a file')
  .parameters(z.object({ file: z.string() }))
  .elicits({})
  .execute(function* ({ file }) {
    written.push(file);
    return file;
  });

it('the agents of a window get three tools while the setting is on; its table is answered in the editor, not by them', async () => {
  let on = false;
  const tables: unknown[] = [];
  await inWindow(
    function* ({ server, workspace, adopted }) {
      workspace.replace({ tools: [{ tool: write }] });
      const client = yield* until(connect(yield* server.forCopilot(), 'client'));
      const names = function* () {
        const { tools } = yield* until(client.listTools());
        return tools.map(({ name }) => name);
      };
      expect(yield* names()).toEqual(['write']);
      on = true;
      expect(yield* names()).toEqual(['describe_tool', 'execute_code', 'search_tools']);
      const code = `
        const files: string[] = ['a', 'b', 'c'];
        const done = await Promise.allSettled(files.map((file) => tools.write({ file })));
        return done.map(({ status }) => status);`;
      const { content } = yield* until(client.callTool({ name: 'execute_code', arguments: { code } }));
      const [block] = content as { text: string }[];
      expect(JSON.parse(block?.text ?? '').result).toEqual(['fulfilled', 'rejected', 'fulfilled']);
      expect(tables).toEqual([['a', 'b', 'c']]);
      expect(written).toEqual(['a', 'c']);
      expect(adopted.map(({ tool }) => tool.name)).toEqual(['execute_code']);
      yield* until(client.close());
    },
    {
      codeMode: () => on,
      elicitResponses({ context }) {
        const { rows } = context as { rows: { id: string; arguments: string }[] };
        tables.push(rows.map((row) => JSON.parse(row.arguments).file));
        return { action: 'accept', content: { run: rows.flatMap(({ id }, at) => (at === 1 ? [] : [id])) } };
      },
    },
  );
});
