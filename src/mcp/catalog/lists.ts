import { all, type Operation } from 'effection';
import { toolOf } from '../../core/plugin/offer.ts';
import type { ResourceInfo, ResourceTemplate } from '../../core/served/resource.ts';
import type { ClientCapabilities } from '../../core/tool/context.ts';
import type { AnyTool } from '../../core/tool/tool.ts';
import type { Caller } from '../caller.ts';
import type { ServerParts } from '../host.ts';
import { missingCapabilities } from '../wire/capabilities.ts';
import type { Era } from '../wire/era.ts';
import { encodePrompt, encodeTool } from '../wire/listing.ts';
import { pageOf } from '../wire/state/cursor.ts';
import { Index, type Served } from './catalog.ts';

/** A request that is answered without a call. */
export interface PlainRequest {
  readonly caller: Caller;
  readonly era: Era;
  readonly params: Readonly<Record<string, unknown>>;
  /** What whoever answers this caller's calls of a tool can do: what requires more is not listed. */
  readonly capabilities: (tool: AnyTool) => ClientCapabilities;
}

type Result = Readonly<Record<string, unknown>>;

const meets = (tool: AnyTool, request: PlainRequest) =>
  missingCapabilities(tool.def.requires, request.capabilities(tool)) === undefined;

/** `tools/list`, of these tools. */
export function listTools(
  tools: Index<Served>,
  { pageSize, tasks }: ServerParts,
  request: PlainRequest,
): Result {
  const shown = tools.items.filter((served) => meets(toolOf(served), request));
  const page = pageOf(shown, { list: 'tools', ...ask(request, pageSize), key: tools.keyOf });
  return {
    tools: page.items.map((served) => encodeTool(toolOf(served), request.era, tasks !== undefined)),
    ...next(page),
  };
}

/** `prompts/list`: a page of those whose requirements the client meets. */
export function listPrompts({ catalog: { prompts }, pageSize }: ServerParts, request: PlainRequest): Result {
  const shown = prompts.items.filter((prompt) => meets(prompt.def.tool, request));
  const page = pageOf(shown, { list: 'prompts', ...ask(request, pageSize), key: prompts.keyOf });
  return { prompts: page.items.map(encodePrompt), ...next(page) };
}

/** `resources/list`: the resources themselves, and those that templates list. */
export function* listResources(
  { catalog, pageSize, report }: ServerParts,
  request: PlainRequest,
): Operation<Result> {
  const own = catalog.resources.items
    .filter(({ def }) => meets(def.tool, request))
    .map(({ def }) => def.info);
  const listed = yield* all(catalog.templates.items.map((template) => listedBy(template, report)));
  const index = new Index([...own, ...listed.flat()], (info) => info.uri);
  const page = pageOf(index.items, { list: 'resources', ...ask(request, pageSize), key: index.keyOf });
  return { resources: page.items, ...next(page) };
}

/** One that fails takes nothing of the others along. */
function* listedBy(
  { def }: ResourceTemplate,
  report: ServerParts['report'],
): Operation<readonly ResourceInfo[]> {
  try {
    return def.list ? [...(yield* def.list())] : [];
  } catch (cause) {
    report(`what '${def.info.uriTemplate}' lists is left out: its list failed`, cause, 'request');
    return [];
  }
}

/** `resources/templates/list`: a page of those whose requirements the client meets. */
export function listTemplates(
  { catalog: { templates }, pageSize }: ServerParts,
  request: PlainRequest,
): Result {
  const shown = templates.items.filter(({ def }) => meets(def.tool, request));
  const page = pageOf(shown, { list: 'templates', ...ask(request, pageSize), key: templates.keyOf });
  return { resourceTemplates: page.items.map(({ def }) => def.info), ...next(page) };
}

function ask({ params }: PlainRequest, size: number) {
  return { cursor: params.cursor, size };
}

function next({ nextCursor }: { readonly nextCursor?: string }): { nextCursor?: string } {
  return nextCursor === undefined ? {} : { nextCursor };
}
