import type { Caller } from '../caller.ts';
import type { ServerParts } from '../host.ts';
import type { Callable } from '../request/open-call.ts';
import { hasTasks } from '../tasks/is-task.ts';
import { TASKS_EXTENSION } from '../tasks/wire-2026.ts';
import type { Era } from '../wire/era.ts';
import { invalidParams, RPC, RpcError } from '../wire/rpc/rpc-error.ts';
import { promptCall, resourceCall, toolCall } from './callable.ts';
import type { Catalog, ListName } from './catalog.ts';
import { completeArgument } from './completions.ts';
import { listPrompts, listResources, listTemplates, listTools, type PlainRequest } from './lists.ts';

type Params = Readonly<Record<string, unknown>>;
type Result = Readonly<Record<string, unknown>>;
type Capability = 'tools' | 'prompts' | 'resources' | 'completions' | 'logging' | 'tasks';

/** How a method is answered. */
export interface Method {
  /** A server that does not declare it does not know the method. */
  readonly capability: Capability;
  /** The era that has it, where that is one. */
  readonly era?: Era;
  /** The list that it gives: worth asking for again when that can change. */
  readonly list?: ListName;
  /** How long a client may keep what is no list, milliseconds. */
  readonly ttl?: number;
  /** Answers at once. */
  answer?(host: ServerParts, request: PlainRequest): Result | Promise<Result>;
  /** What runs, for a method that may be answered with questions. @throws `RpcError` */
  call?(host: ServerParts, caller: Caller, era: Era, params: Params, goesOn?: boolean): Callable;
}

/** What both eras answer; a method with neither `answer` nor `call` is the connection's own. */
const METHODS: Readonly<Record<string, Method>> = {
  'tools/list': {
    capability: 'tools',
    list: 'tools',
    answer(host, request) {
      request.caller.onListed?.();
      return listTools(host.surface.listed(request.caller), host, request);
    },
  },
  'tools/call': { capability: 'tools', call: toolCall },
  'prompts/list': { capability: 'prompts', list: 'prompts', answer: listPrompts },
  'prompts/get': { capability: 'prompts', call: promptCall },
  'resources/list': {
    capability: 'resources',
    list: 'resources',
    answer: (host, request) => host.run(() => listResources(host, request)),
  },
  'resources/templates/list': { capability: 'resources', list: 'resources', answer: listTemplates },
  'resources/read': { capability: 'resources', ttl: 0, call: resourceCall },
  'resources/subscribe': { capability: 'resources', era: '2025' },
  'resources/unsubscribe': { capability: 'resources', era: '2025' },
  'completion/complete': {
    capability: 'completions',
    answer: (host, { params }) => host.run(() => completeArgument(host.catalog, params)),
  },
  'logging/setLevel': { capability: 'logging', era: '2025' },
  'tasks/get': { capability: 'tasks' },
  'tasks/update': { capability: 'tasks', era: '2026' },
  'tasks/cancel': { capability: 'tasks' },
  'tasks/result': { capability: 'tasks', era: '2025' },
  'tasks/list': { capability: 'tasks', era: '2025' },
};

/** Whether this server answers a method. */
export function hasMethod(host: ServerParts, name: string): boolean {
  const method = Object.hasOwn(METHODS, name) ? METHODS[name] : undefined;
  return method !== undefined && CAPABILITIES[method.capability](host) !== undefined;
}

/** @throws `-32601` for a method that the era does not know, or whose capability this server does not declare. */
export function methodOf(host: ServerParts, name: string, era: Era): Method {
  const method = hasMethod(host, name) ? METHODS[name] : undefined;
  if (!method || (method.era ?? era) !== era) throw unknownMethod(name);
  return method;
}

/** The error for a method that this server does not answer: `-32601`. */
export function unknownMethod(method: string): RpcError {
  return new RpcError(RPC.methodNotFound, `Method not found: ${method}`);
}

/** How long a client may keep a list that never changes, milliseconds. */
const KEEP_LIST = 60_000;

/** How long a client may keep what the method gives, milliseconds; `undefined` for what is good for one answer. */
export function ttlOf({ catalog }: ServerParts, { list, ttl }: Method): number | undefined {
  if (list === undefined) return ttl;
  return catalog.has(list).changes ? 0 : KEEP_LIST;
}

/** What each capability says of a server; nothing where it is not declared. */
const CAPABILITIES: Readonly<Record<Capability, (host: ServerParts) => Params | undefined>> = {
  tools: (host) => told(host, 'tools'),
  prompts: (host) => (host.catalog.has('prompts').any ? told(host, 'prompts') : undefined),
  resources: (host) =>
    host.catalog.has('resources').any ? { subscribe: true, ...told(host, 'resources') } : undefined,
  completions: ({ catalog }) => (completes(catalog) ? {} : undefined),
  logging: () => ({}),
  tasks: (host) => (hasTasks(host) ? { list: {}, cancel: {}, requests: { tools: { call: {} } } } : undefined),
};

/** The capabilities that a server declares to a caller. */
export function declaredCapabilities(
  host: ServerParts,
  era: Era,
  { shared }: Caller,
): Readonly<Record<string, Params>> {
  const { tasks, ...own } = Object.fromEntries(
    Object.entries(CAPABILITIES).flatMap(([name, of]) => {
      const declared = of(host);
      return declared ? [[name, declared]] : [];
    }),
  );
  const { list: _, ...unlisted } = tasks ?? {};
  const all = tasks && era === '2025' ? { ...own, tasks: shared ? unlisted : tasks } : own;
  const extensions = { ...host.extensions, ...(tasks && era === '2026' ? { [TASKS_EXTENSION]: {} } : {}) };
  return Object.keys(extensions).length > 0 || host.extensions ? { ...all, extensions } : all;
}

function told({ catalog, changes }: ServerParts, list: ListName): Params {
  return changes.told && catalog.has(list).changes ? { listChanged: true } : {};
}

function completes(catalog: Catalog): boolean {
  const all = [...catalog.prompts.items, ...catalog.templates.items];
  return (
    catalog.has('prompts').changes ||
    catalog.has('resources').changes ||
    all.some(({ def }) => Object.keys(def.completers).length > 0)
  );
}

/** The URI in params. @throws `-32602` */
export function uriOf(params: Params): string {
  if (typeof params.uri !== 'string') throw invalidParams("'uri' is missing or not text");
  return params.uri;
}
