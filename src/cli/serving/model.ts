import { toolOf } from '../../core/plugin/offer.ts';
import { defined } from '../../core/schema/defined.ts';
import { type Client, compose, createModelClient, type McpServerOptions } from '../../mcp/index.ts';
import type { ModelCommand } from '../args.ts';
import type { Collection } from '../collect.ts';
import { UsageError } from '../options.ts';

/**
 * Who answers samplings of clients that have no model: the one that was named on the command line, for what `own` serves. Unless
 * it is `alone`, other servers' tools are served beside: those do not spend it. @throws `UsageError`
 */
export function modelFor(
  model: ModelCommand | undefined,
  key: string | undefined,
  own: Collection,
  alone: boolean,
): Pick<McpServerOptions, 'client'> {
  if (!model) return {};
  const { url, name, calls, tokens } = model;
  const isOwn = (tool: string) => namesOf(own).has(tool);
  const client = made(() =>
    createModelClient({
      url,
      name,
      limits: defined({ calls, tokens }),
      allows: ({ ref }) => alone || isOwn(ref.toolName),
      ...defined({ key }),
    }),
  );
  return { client: (wire: Client) => compose(wire, client) };
}

function made<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(`--model: ${error.message}`);
    throw error;
  }
}

/** The tools behind everything that is served; lists may change. */
function namesOf({ tools, prompts, resources }: Collection): ReadonlySet<string> {
  const all = <T>(listed: readonly T[] | { list(): readonly T[] }) =>
    'list' in listed ? listed.list() : listed;
  return new Set([
    ...all(tools).map((one) => toolOf(one).name),
    ...all(prompts).map(({ def }) => def.tool.name),
    ...all(resources).map(({ def }) => def.tool.name),
  ]);
}
