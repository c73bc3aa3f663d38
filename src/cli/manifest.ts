import { toolOf } from '../core/plugin/offer.ts';
import type { AnyTool } from '../core/tool/tool.ts';
import type { Collection } from './collect.ts';

/** Everything that modules define, with JSON Schemas, as JSON. */
export function manifestOf({ tools, prompts, resources }: Collection): unknown {
  const all = read(resources);
  return {
    tools: read(tools).map((served) => toolManifest(toolOf(served))),
    prompts: read(prompts).map(({ def }) => ({
      name: def.name,
      title: def.title,
      description: def.description,
      arguments: def.arguments,
      elicits: elicitsOf(def.tool),
    })),
    resources: all.flatMap((one) => (one.kind === 'parley.resource' ? [one.def.info] : [])),
    resourceTemplates: all.flatMap((one) => (one.kind === 'parley.resource-template' ? [one.def.info] : [])),
  };
}

function toolManifest({ def }: AnyTool) {
  return {
    name: def.name,
    title: def.title,
    description: def.description,
    annotations: def.annotations,
    requires: def.requires,
    limits: def.limits,
    inputSchema: def.parameters.json,
    outputSchema: def.output?.json,
    elicits: elicitsOf({ def }),
  };
}

function elicitsOf({ def }: Pick<AnyTool, 'def'>) {
  return Object.fromEntries(Object.entries(def.elicits).map(([key, { json }]) => [key, json]));
}

function read<T>(listed: readonly T[] | { list(): readonly T[] }): readonly T[] {
  return 'list' in listed ? listed.list() : listed;
}
