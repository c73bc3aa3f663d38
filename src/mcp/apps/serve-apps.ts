import { type Operation, race, sleep } from 'effection';
import type * as z from 'zod/mini';
import { toolOf } from '../../core/plugin/offer.ts';
import { isObject } from '../../core/schema/is-object.ts';
import { problemsIn } from '../../core/schema/validate.ts';
import { APP_TOOLS, sendInput, watchInput } from '../../panel-port/index.ts';
import { modesOf } from '../../runtime/session/capabilities.ts';
import type { Caller } from '../caller.ts';
import type { Served } from '../catalog/catalog.ts';
import { hasMethod } from '../catalog/methods.ts';
import type { ServerParts } from '../host.ts';
import { invalidParams } from '../wire/rpc/rpc-error.ts';
import { ConnectionApps, type FindableCall, type GivenCall, RefusedPage } from './connection-apps.ts';
import type { AppPages } from './pages.ts';

type Params = Readonly<Record<string, unknown>>;
type Result = Readonly<Record<string, unknown>>;

/** The extension, as capabilities name it. */
export const UI_EXTENSION = 'io.modelcontextprotocol/ui';

/** What a page's document is. */
export const APP_MIME_TYPE = 'text/html;profile=mcp-app';

/** Whether a client shows pages, by its capabilities. */
export function showsApps(capabilities: unknown): boolean {
  const extensions = isObject(capabilities) ? capabilities.extensions : undefined;
  const ui = isObject(extensions) ? extensions[UI_EXTENSION] : undefined;
  if (!isObject(ui)) return false;
  return !Array.isArray(ui.mimeTypes) || ui.mimeTypes.includes(APP_MIME_TYPE);
}

/** The pages of one connection, on the wire. */
export interface ServedApps {
  /**
   * Answers what is about pages, adds them to lists, and hands on everything else.
   *
   * @param early a call may be answered before it is over: its tool is listed without an output schema then
   */
  serve(method: string, params: Params, next: () => Promise<Result>, early: boolean): Promise<Result>;
  /** Whether calls of this tool are asked on pages now. */
  shows(tool: unknown): boolean;
  /** A call has begun. */
  began(call: GivenCall): FindableCall;
  /** Whether a call runs that a page may find, or a page has found its call. */
  used(): boolean;
  close(): void;
}

/** Serves pages to a client that shows them. */
export function serveApps(host: ServerParts, caller: Caller, pages: AppPages): ServedApps {
  const apps = new ConnectionApps(pages);
  const sweeping = setInterval(() => apps.sweep(performance.now()), SWEEP);
  sweeping.unref();
  const servedOf = (name: string): Served | undefined => {
    const served = host.surface.listed(caller).items.find((one) => toolOf(one).name === name);
    return served && asks(served) && pages.offers(served) ? served : undefined;
  };

  const decorated = (tool: unknown, early: boolean): unknown => {
    if (!isObject(tool) || !servedOf(String(tool.name))) return tool;
    // VS Code takes a tool for the one that it knows unless something changes that it tells the model.
    const description = `${String(tool.description)}

${ON_A_PAGE}`;
    const { outputSchema, ...rest } = tool;
    return {
      ...rest,
      ...(outputSchema !== undefined && !early ? { outputSchema } : {}),
      description,
      _meta: { ...(isObject(tool._meta) ? tool._meta : {}), ui: { resourceUri: uriOf(tool.name) } },
    };
  };

  async function list(next: () => Promise<Result>, early: boolean): Promise<Result> {
    const result = await next();
    const tools = Array.isArray(result.tools) ? result.tools.map((tool) => decorated(tool, early)) : [];
    const last = result.nextCursor === undefined;
    return { ...result, tools: last ? [...tools, ...APP_TOOL_ENTRIES] : tools };
  }

  /** A conversation of earlier may be shown before the tools are there. */
  function* draw(name: string): Operation<string | undefined> {
    if (!servedOf(name) && pages.loaded) yield* race([pages.loaded(), sleep(LOADING)]);
    const served = servedOf(name);
    return served ? yield* apps.draw(served) : yield* apps.drawOld(name);
  }

  async function document(uri: string, next: () => Promise<Result>): Promise<Result> {
    if (!uri.startsWith(PREFIX)) return await next();
    const text = await host.run(() => draw(nameOf(uri)));
    if (text === undefined) return await next();
    // No network: all that a page needs is in it.
    return {
      contents: [{ uri, mimeType: APP_MIME_TYPE, text, _meta: { ui: { csp: {}, prefersBorder: false } } }],
    };
  }

  return {
    async serve(method, params, next, early) {
      if (method === 'tools/list') return await list(next, early);
      // Pages are named by their tools. A server that has no other resources lists none.
      if (Object.hasOwn(NO_RESOURCES, method) && !hasMethod(host, method)) return NO_RESOURCES[method] ?? {};
      if (method === 'resources/read' && typeof params.uri === 'string')
        return await document(params.uri, next);
      if (method === 'tools/call' && params.name === APP_TOOLS.watch) {
        const input = read(watchInput, params.arguments);
        return await forPages(() => host.run(() => apps.watch(input)));
      }
      if (method === 'tools/call' && params.name === APP_TOOLS.send) {
        const input = read(sendInput(), params.arguments);
        return await forPages(async () => {
          apps.send(input);
          return {};
        });
      }
      return await next();
    },
    shows: (tool) => typeof tool === 'string' && servedOf(tool) !== undefined,
    began: (call) => apps.began(call),
    used: () => apps.used(),
    close() {
      clearInterval(sweeping);
      apps.close();
    },
  };
}

/** Answers a page; whoever is none is told that there is nothing here for it. */
async function forPages(answer: () => Promise<object>): Promise<Result> {
  try {
    return { content: [], structuredContent: await answer() };
  } catch (error) {
    if (!(error instanceof RefusedPage)) throw error;
    return { content: [{ type: 'text', text: NOT_FOR_YOU }], isError: true };
  }
}

/** For a model, or a program, that calls what only pages may. */
const NOT_FOR_YOU =
  'Refused: this tool is for the pages of this server alone, and nothing was answered. The question is still open: only the user answers it. Wait for the result of the call that asks.';

/** @throws `-32602` */
function read<T>(schema: z.ZodMiniType<T>, args: unknown): T {
  const result = schema.safeParse(args);
  if (!result.success) throw invalidParams(problemsIn(result.error.issues, args).problem);
  return result.data;
}

/** For the model, so that it does not ask in its own words what the page asks. */
const ON_A_PAGE = 'The user answers its questions on a page in the chat.';

const NO_RESOURCES: Readonly<Record<string, Result>> = {
  'resources/list': { resources: [] },
  'resources/templates/list': { resourceTemplates: [] },
};

/** How long a page waits for tools that are on their way, milliseconds. */
const LOADING = 120_000;

/** Between two looks for pages that are gone, milliseconds. */
const SWEEP = 15_000;

/** Only a tool that may ask needs a page. */
function asks(served: Served): boolean {
  const { elicits, requires } = toolOf(served).def;
  return Object.keys(elicits).length > 0 || modesOf(requires.elicitation).form === true;
}

const PREFIX = 'ui://parley/';

function uriOf(name: unknown): string {
  return `${PREFIX}${encodeURIComponent(String(name))}`;
}

function nameOf(uri: string): string {
  try {
    return decodeURIComponent(uri.slice(PREFIX.length));
  } catch {
    return '';
  }
}

/** The page's own tools. Hosts show them to no model. */
const APP_TOOL_ENTRIES = Object.values(APP_TOOLS).map((name) => ({
  name,
  description:
    'For the pages of this server only: carries questions and answers between a page and its call.',
  inputSchema: { type: 'object' },
  annotations: { readOnlyHint: true },
  _meta: { ui: { visibility: ['app'] } },
}));
