import { until } from 'effection';
import * as z from 'zod';
import { defined } from '../../../core/schema/defined.ts';
import { createMcpTool } from '../../../core/tool/create-mcp-tool.ts';
import type { AnyTool } from '../../../core/tool/tool.ts';
import { pageOf } from '../../wire/state/cursor.ts';

import { digestOf } from '../../wire/state/state.ts';
import type { CodeSurface } from '../surface.ts';
import type { ToolSearch } from './catalog-search.ts';
import { namespaceOf, namespacesOf } from './namespaces.ts';

/** How much `describe_tool` says. */
const DETAIL = ['summary', 'parameters', 'full'] as const;

type Detail = (typeof DETAIL)[number];

const paging = {
  cursor: z.string().optional().describe('nextCursor of the previous page. Omit for the first page'),
  limit: z.int().min(1).max(100).default(20).describe('Maximum number of items on a page'),
};

const readOnly = { readOnlyHint: true, openWorldHint: false };

/** Parameters of `run_tool`. */
export const RunToolParams = z.object({
  name: z.string().describe('A name from search_tools'),
  arguments: z
    .record(z.string(), z.unknown())
    .default({})
    .describe('Arguments, as described by describe_tool'),
});

/** Parameters of `run_chain`. */
export const RunChainParams = z.object({
  steps: z
    .array(
      RunToolParams.extend({
        pass: z.string().optional().describe('The argument that receives the result of the previous step'),
      }),
    )
    .min(1)
    .max(50),
});

/** The tools through which a catalogue is searched for code that calls them. */
export function codeTools(tools: readonly AnyTool[], declare: (tool: AnyTool) => string): readonly AnyTool[] {
  const next = 'then read describe_tool, and call what you found in execute_code.';
  return [searchTools(tools, next), declareTool(byNameOf(tools), declare)];
}

/** The tools through which a large catalogue is searched and run, by code as well. */
export function progressiveTools(
  tools: readonly AnyTool[],
  code?: Pick<CodeSurface, 'declare'>,
): readonly AnyTool[] {
  const byName = byNameOf(tools);
  const ways = code ? 'run_tool, or call it in execute_code' : 'run_tool';
  return [
    searchTools(tools, `then read describe_tool, and run what you found with ${ways}.`),
    listNamespaces(tools),
    describeTool(byName, code),
    runTool(),
    runChain(byName),
  ];
}

function byNameOf(tools: readonly AnyTool[]): ReadonlyMap<string, AnyTool> {
  return new Map(tools.map((tool) => [tool.name, tool]));
}

/** @param then what to do with what was found */
function searchTools(tools: readonly AnyTool[], then: string): AnyTool {
  const byName = byNameOf(tools);
  // Made when it is first asked: most servers never load it.
  let search: ToolSearch | undefined;
  return createMcpTool('search_tools')
    .description(
      `Searches the ${tools.length} tools of this server, best first. Search before you decide that something cannot be done; ${then}`,
    )
    .parameters(
      z.object({
        query: z
          .string()
          .default('')
          .describe('Keywords for what you want to do. If empty, all tools by name'),
        namespace: z.string().optional().describe('Only tools of this namespace'),
        ...paging,
      }),
    )
    .annotations(readOnly)
    .elicits({})
    .execute(function* ({ query, namespace, cursor, limit }) {
      const all = query.trim() === '';
      if (!all) search ??= (yield* until(import('./catalog-search.ts'))).createToolSearch(tools);
      const names = all ? tools.map(({ name }) => name) : (search?.find(query) ?? []);
      const ranked = names
        .filter((name) => namespace === undefined || namespaceOf(name) === namespace)
        .map((name, rank) => ({ name, key: String(rank).padStart(7, '0') }));
      const list = `search ${digestOf([query, namespace ?? null, tools.length])}`;
      const page = pageOf(ranked, { list, cursor, size: limit, key: ({ key }) => key });
      const found = page.items.flatMap(({ name }) => byName.get(name) ?? []).map(summaryOf);
      return { tools: found, total: ranked.length, ...next(page.nextCursor) };
    });
}

function listNamespaces(tools: readonly AnyTool[]): AnyTool {
  return createMcpTool('list_namespaces')
    .description(
      'Lists the namespaces (name prefixes) of the tools of this server, and the number of tools in each.',
    )
    .parameters(z.object(paging))
    .annotations(readOnly)
    .elicits({})
    .execute(function* ({ cursor, limit }) {
      const all = namespacesOf(tools.map(({ name }) => name));
      const page = pageOf(all, { list: 'namespaces', cursor, size: limit, key: ({ name }) => name });
      return { namespaces: page.items, total: all.length, ...next(page.nextCursor) };
    });
}

function describeTool(byName: ReadonlyMap<string, AnyTool>, code?: Pick<CodeSurface, 'declare'>): AnyTool {
  const says = 'summary: what it does; parameters: also its parameters; full: also what it returns and asks';
  return createMcpTool('describe_tool')
    .description('Describes a tool and its parameters. Call this before you run a tool for the first time.')
    .parameters(
      z.object({
        name: z.string().describe('A name from search_tools'),
        detail: z
          .enum(code ? [...DETAIL, 'typescript'] : DETAIL)
          .default('parameters')
          .describe(code ? `${says}; typescript: as code in execute_code calls it` : says),
      }),
    )
    .annotations(readOnly)
    .elicits({})
    .execute(function* ({ name, detail }) {
      const tool = byName.get(name);
      if (!tool) throw unknownTool(name);
      return detail === 'typescript' ? code?.declare(tool) : describe(tool, detail);
    });
}

function declareTool(byName: ReadonlyMap<string, AnyTool>, declare: (tool: AnyTool) => string): AnyTool {
  return createMcpTool('describe_tool')
    .description(
      'Returns the TypeScript declarations of tools. Read them before your code calls a tool for the first time.',
    )
    .parameters(
      z.object({
        names: z.array(z.string()).min(1).max(20).describe('Names from search_tools'),
      }),
    )
    .annotations(readOnly)
    .elicits({})
    .execute(function* ({ names }) {
      const declarations = names.map((name) => {
        const tool = byName.get(name);
        return tool ? declare(tool) : `// ${unknownTool(name).message}`;
      });
      return declarations.join('\n\n');
    });
}

function runTool(): AnyTool {
  return createMcpTool('run_tool')
    .description('Runs a tool that search_tools found, with arguments as described by describe_tool.')
    .parameters(RunToolParams)
    .elicits({})
    .execute(function* ({ name }) {
      // Only a name that is none comes here: any other is run in this tool's place.
      throw unknownTool(name);
    });
}

function runChain(byName: ReadonlyMap<string, AnyTool>): AnyTool {
  return createMcpTool('run_chain')
    .description(
      'Runs several tools in sequence, each with the result of the previous one. Stops at the first failure, and returns the results so far.',
    )
    .parameters(RunChainParams)
    .elicits({})
    .execute(function* ({ steps }) {
      // Only where a step has no tool: any other chain is run in this tool's place.
      const unknown = steps.map(({ name }) => name).filter((name) => !byName.has(name));
      throw unknownTool([...new Set(unknown)].join("' or '"));
    });
}

/** What a model is told when it names a tool that is not there. */
export function unknownTool(name: string): Error {
  return new Error(`there is no tool '${name}'. Find the right name with search_tools.`);
}

function summaryOf({ name, def }: AnyTool) {
  return { name, ...defined({ title: def.title }), description: def.description };
}

function describe(tool: AnyTool, detail: Detail) {
  const summary = summaryOf(tool);
  if (detail === 'summary') return summary;
  const { parameters, output, annotations, requires, elicits } = tool.def;
  if (detail === 'parameters') return { ...summary, inputSchema: parameters.json };
  return {
    ...summary,
    inputSchema: parameters.json,
    ...(output ? { outputSchema: output.json } : {}),
    annotations,
    requires,
    asks: Object.fromEntries(Object.entries(elicits).map(([key, { json }]) => [key, json])),
  };
}

function next(nextCursor: string | undefined): { nextCursor?: string } {
  return nextCursor === undefined ? {} : { nextCursor };
}
