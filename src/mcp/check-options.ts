import { checkOptions, type OptionNames } from '../core/schema/check-options.ts';
import { isObject } from '../core/schema/is-object.ts';
import type { ManagerLimits } from '../runtime/manager/manager.ts';
import { HTTP_LIMITS } from './http/limits.ts';
import type { HandlerOptions, McpServerOptions } from './options.ts';

const NAMELESS =
  "a server has a name and a version: createMcpServer({ name: 'tools', version: '1.0.0', tools: […] })";

const SERVER = Object.keys({
  name: true,
  version: true,
  tools: true,
  prompts: true,
  resources: true,
  title: true,
  websiteUrl: true,
  description: true,
  icons: true,
  instructions: true,
  personal: true,
  extensions: true,
  listsReady: true,
  client: true,
  manager: true,
  calls: true,
  create: true,
  limits: true,
  pageSize: true,
  askTimeout: true,
  heartbeat: true,
  listChanged: true,
  apps: true,
  page: true,
  progressive: true,
  state: true,
  tasks: true,
  stateKeys: true,
  spans: true,
  onProblem: true,
  shown: true,
} satisfies OptionNames<McpServerOptions>);

const CALLS = Object.keys({
  maxSessions: true,
  maxWaiting: true,
  maxBytes: true,
  share: true,
  waitingTtl: true,
  call: true,
  cleanupGrace: true,
  maxLogEvents: true,
} satisfies OptionNames<ManagerLimits>);

const HANDLER = Object.keys({
  tokens: true,
  oauth: true,
  publish: true,
  hosts: true,
  origins: true,
  limits: true,
} satisfies OptionNames<HandlerOptions>);

/** @throws `TypeError` where there is no name or no version, for an option that is not known, and for lists that are none */
export function checkServerOptions(options: McpServerOptions): void {
  const { name, version } = (options as Partial<McpServerOptions> | undefined) ?? {};
  if (typeof name !== 'string' || typeof version !== 'string') throw new TypeError(NAMELESS);
  checkOptions('createMcpServer', options, SERVER);
  checkOptions('limits: createMcpServer', options.limits, CALLS);
  for (const list of ['tools', 'prompts', 'resources'] as const) {
    const given: unknown = options[list];
    if (given === undefined || Array.isArray(given) || (isObject(given) && 'subscribe' in given)) continue;
    throw new TypeError(`${list} of a server are a list: ${list}: [ … ], or createMcpRegistry([ … ])`);
  }
}

/** @throws `TypeError` for an option that is not known: one that would have asked for tokens must not let everybody in */
export function checkHandlerOptions(options: HandlerOptions): void {
  checkOptions('createHandler', options, HANDLER);
  checkOptions('limits: createHandler', options.limits, Object.keys(HTTP_LIMITS));
}
