import { all, type Operation } from 'effection';
import { toolOf } from '../../core/plugin/offer.ts';
import type { ResourceInfo } from '../../core/served/resource.ts';
import type { ClientCapabilities } from '../../core/tool/context.ts';
import type { ToolRequirements } from '../../core/tool/tool.ts';
import { missingCapabilities } from '../wire/capabilities.ts';
import { pageOf } from '../wire/cursor.ts';
import type { Era } from '../wire/era.ts';
import { encodePrompt, encodeTool } from '../wire/listing.ts';
import { type Catalog, Index, type Served } from './catalog.ts';

/** Who asks for a list, and which page. */
export interface ListRequest {
  readonly era: Era;
  readonly cursor: unknown;
  readonly pageSize: number;
  /** What the client can do, composed: what requires more is left out. */
  readonly capabilities: ClientCapabilities;
}

type Result = Readonly<Record<string, unknown>>;

const meets = (requires: ToolRequirements, request: ListRequest) =>
  missingCapabilities(requires, request.capabilities) === undefined;

/** `tools/list`, of these tools. */
export function listTools(tools: Index<Served>, request: ListRequest): Result {
  const shown = tools.items.filter((served) => meets(toolOf(served).def.requires, request));
  const { items, nextCursor } = pageOf(shown, {
    list: 'tools',
    cursor: request.cursor,
    size: request.pageSize,
    key: tools.keyOf,
  });
  return { tools: items.map((served) => encodeTool(toolOf(served), request.era)), ...next(nextCursor) };
}

/** `prompts/list` */
export function listPrompts({ prompts }: Catalog, request: ListRequest): Result {
  const shown = prompts.items.filter((prompt) => meets(prompt.def.tool.def.requires, request));
  const { items, nextCursor } = pageOf(shown, {
    list: 'prompts',
    cursor: request.cursor,
    size: request.pageSize,
    key: prompts.keyOf,
  });
  return { prompts: items.map(encodePrompt), ...next(nextCursor) };
}

/** `resources/list`: the resources themselves, and those that templates list. */
export function* listResources({ resources, templates }: Catalog, request: ListRequest): Operation<Result> {
  const own = resources.items
    .filter(({ def }) => meets(def.tool.def.requires, request))
    .map(({ def }) => def.info);
  const lists = templates.items.flatMap(({ def }) => (def.list ? [def.list] : []));
  const listed: ResourceInfo[][] = (yield* all(lists.map((list) => list()))).map((infos) => [...infos]);
  const index = new Index([...own, ...listed.flat()], (info) => info.uri);
  const { items, nextCursor } = pageOf(index.items, {
    list: 'resources',
    cursor: request.cursor,
    size: request.pageSize,
    key: index.keyOf,
  });
  return { resources: items, ...next(nextCursor) };
}

/** `resources/templates/list` */
export function listTemplates({ templates }: Catalog, request: ListRequest): Result {
  const shown = templates.items.filter(({ def }) => meets(def.tool.def.requires, request));
  const { items, nextCursor } = pageOf(shown, {
    list: 'templates',
    cursor: request.cursor,
    size: request.pageSize,
    key: templates.keyOf,
  });
  return { resourceTemplates: items.map(({ def }) => def.info), ...next(nextCursor) };
}

function next(nextCursor: string | undefined): { nextCursor?: string } {
  return nextCursor === undefined ? {} : { nextCursor };
}
