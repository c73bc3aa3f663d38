import { isObject } from '../../core/schema/is-object.ts';
import type { ClientCapabilities } from '../../core/tool/context.ts';
import { canAnswer } from '../../runtime/session/capabilities.ts';
import type { Client } from '../../runtime/session/client.ts';
import type { ClientPages } from '../apps/connection-apps.ts';
import { declaredCapabilities } from '../catalog/methods.ts';
import type { Result } from '../request/open-call.ts';
import type { Reporter } from '../request/reporter.ts';
import { serveRequest } from '../request/serve-request.ts';
import type { WireRequest } from '../request/wire-request.ts';
import { isTask2026 } from '../tasks/is-task.ts';
import type { Task } from '../tasks/task.ts';
import { createdTask2026, declaresTasks } from '../tasks/wire-2026.ts';
import { decodeCapabilities } from '../wire/capabilities.ts';
import { type ClientWords, clientName } from '../wire/client-words.ts';
import { FIRST_STATELESS_REVISION } from '../wire/era.ts';
import { logLevelOf, META, progressTokenOf } from '../wire/meta.ts';
import type { RpcRequest } from '../wire/rpc/json-rpc.ts';
import { serveCall } from './serve-call.ts';
import type { Exchange2026, Serving2026 } from './serving.ts';
import { serveSubscription } from './subscription.ts';

/**
 * An MCP client of the 2026 era as the client of a session, for one leg. It has no verbs: what it is asked goes out with
 * the leg's result, and the answer comes with the next request.
 */
function createClient2026(name: string, capabilities: ClientCapabilities, reporter: Reporter): Client {
  return {
    name,
    capabilities: () => capabilities,
    can: (ask) => canAnswer(capabilities, ask),
    log: (event) => reporter.log(event),
    notify: (event) => reporter.notify(event),
  };
}

/** Serves a request whose envelope has been checked. @throws `RpcError` */
export async function serve2026(
  serving: Serving2026,
  request: RpcRequest,
  exchange: Exchange2026,
): Promise<Result> {
  const result = await resultOf(serving, request, exchange);
  const _meta = { [META.serverInfo]: serving.host.info, ...(isObject(result._meta) ? result._meta : {}) };
  return { ...result, resultType: result.resultType ?? 'complete', _meta };
}

async function resultOf(serving: Serving2026, request: RpcRequest, exchange: Exchange2026): Promise<Result> {
  const { host, caller, pages } = serving;
  const { method, params = {} } = request;
  if (method === 'subscriptions/listen') return await serveSubscription(serving, request, exchange);
  if (method === 'server/discover') {
    const { instructions } = host;
    const capabilities = declaredCapabilities(host, '2026', caller);
    const supportedVersions = [FIRST_STATELESS_REVISION];
    return { supportedVersions, capabilities, ...(instructions && { instructions }), ...UNCACHED };
  }
  const meta = isObject(params._meta) ? params._meta : {};
  const words = { capabilities: meta[META.clientCapabilities], info: meta[META.clientInfo] };
  const apps = pages?.for(() => words);
  const wired = requestOf(serving, { method, params, meta, words, exchange }, apps);
  const answer = () => serveRequest(host, wired);
  if (!apps) return await answer();
  const result = await apps.serve(method, params, answer);
  return UNKEPT.has(method) ? { ...UNCACHED, ...result } : result;
}

const UNCACHED: Result = { ttlMs: 0, cacheScope: 'private' };

/** Answers of these say how long they may be kept; those about pages, never. */
const UNKEPT: ReadonlySet<string> = new Set(['resources/read', 'resources/list', 'resources/templates/list']);

interface Asked {
  readonly method: string;
  readonly params: Result;
  readonly meta: Result;
  readonly words: ClientWords;
  readonly exchange: Exchange2026;
}

function requestOf(
  { host, calls, caller }: Serving2026,
  { method, params, meta, words, exchange }: Asked,
  apps: ClientPages | undefined,
): WireRequest {
  const { info: clientInfo } = words;
  const name = clientName(clientInfo);
  const state = params.requestState;
  const responses = isObject(params.inputResponses) ? answersIn(params.inputResponses) : undefined;
  let decoded: ClientCapabilities | undefined;
  // Asked for several times a call.
  const capabilities = () => {
    decoded ??= decodeCapabilities(words.capabilities);
    return decoded;
  };
  const declared = declaresTasks(words.capabilities);
  return {
    era: '2026',
    caller,
    method,
    params,
    name,
    clientInfo,
    apps,
    capabilities,
    progressToken: progressTokenOf(meta),
    logLevel: () => logLevelOf(meta[META.logLevel]),
    notify: (notification, payload) => exchange.notify(notification, payload),
    awaited: exchange.awaited,
    client: (reporter) => createClient2026(name, capabilities(), reporter),
    takesTasks: declared,
    goesOn: state !== undefined,
    responses: () => responses,
    run(call) {
      const brought = { state, responses: responses ?? {} };
      const { tasks } = host;
      // What is asked on pages is asked within its requests.
      const takes = { declared: declared && !call.stays, goesOn: brought.state !== undefined };
      if (isTask2026(host, call.callable, takes) && tasks) {
        const answer = (task: Task) => createdTask2026(task, tasks.pollInterval);
        return tasks.begin({ call, era: '2026', brought, ttl: undefined, answer });
      }
      return serveCall(calls, call, brought);
    },
  };
}

/** What can be answers: neither questions nor answers in an envelope. */
function answersIn(responses: Result): Result {
  const answers = Object.entries(responses).filter(
    ([, one]) => isObject(one) && !('method' in one) && !('result' in one),
  );
  return Object.fromEntries(answers);
}
