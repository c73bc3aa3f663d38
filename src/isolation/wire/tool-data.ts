import * as z from 'zod/mini';
import { pluginOf, toolOf } from '../../core/plugin/offer.ts';
import type { AnyPlugin } from '../../core/plugin/plugin.ts';
import type { AnyTool, ToolDefinition } from '../../core/tool/tool.ts';
import { eachFact } from '../../core/tool/tool-facts.ts';
import { formJsonSchema } from '../../panel-port/index.ts';
import { toResultJson } from '../../runtime/data/json-data.ts';
import { jsonObject } from './methods/shared-schemas.ts';

/** What of a tool's definition can leave its realm: everything but its code. A field that is forgotten does not compile. */
const definition = {
  name: z.string().check(z.regex(/^[a-zA-Z0-9_-]{1,64}$/)),
  description: z.string(),
  ...eachFact('data'),
  parameters: jsonObject,
  output: z.optional(jsonObject),
  elicits: z.record(z.string(), z.object({ json: formJsonSchema, context: z.boolean() })),
} satisfies Record<Exclude<keyof ToolDefinition, 'body' | 'foreign'>, unknown>;

/** A tool or a plugin as data: what of it can leave the realm that loaded it. */
export const toolData = z.object({
  ...definition,
  kind: z.enum(['tool', 'plugin']),
  /** The module and the export that made it: one that is exported again has the same. */
  origin: z.string(),
  /** The origin of a plugin's tool, where that is exported too. */
  tool: z.optional(z.string()),
  /** Keys of the elicitations that the plugin has a handler for. */
  handlers: z.array(z.string()),
});

/** What {@link toolData} describes. */
export type ToolData = z.infer<typeof toolData>;

/** Describes a tool or a plugin. @throws when its definition holds what is not JSON. */
export function describeTool(offer: AnyTool | AnyPlugin, origin: string): ToolData {
  const plugin = pluginOf(offer);
  const { def } = toolOf(offer);
  const elicits = Object.entries(def.elicits).map(([key, { json, context }]) => [
    key,
    { json, context: context !== undefined },
  ]);
  const json = toResultJson({
    ...def,
    kind: plugin ? 'plugin' : 'tool',
    origin,
    parameters: def.parameters.json,
    output: def.output?.json,
    elicits: Object.fromEntries(elicits),
    handlers: Object.keys(plugin?.client.handlers ?? {}),
    body: undefined,
  });
  if (!json.ok) throw new Error(`the definition of '${def.name}' is not JSON: ${json.problem}`);
  return toolData.parse(json.value);
}
