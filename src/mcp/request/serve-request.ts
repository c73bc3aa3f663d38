import { errorData } from '../../core/errors/data/error-data.ts';
import { isObject } from '../../core/schema/is-object.ts';
import type { Client } from '../../runtime/session/client.ts';
import { type Method, methodOf, ttlOf, unknownMethod } from '../catalog/methods.ts';
import type { ServerParts } from '../host.ts';
import { serveTask, type TaskClients } from '../tasks/serve-task.ts';
import { encodeError, withNote } from '../wire/result.ts';
import type { RpcRequest, RpcResponse } from '../wire/rpc/json-rpc.ts';
import { failureOf, invalidParams } from '../wire/rpc/rpc-error.ts';
import { RESULT_TOOL } from './early-results.ts';
import type { Result } from './open-call.ts';
import { absentClient, listedFor, personBeside } from './who-answers.ts';
import { RefusedCall, WireCall } from './wire-call.ts';
import type { WireRequest } from './wire-request.ts';

/** The answer to a request, whatever comes of serving it. */
export async function answerTo({ id }: RpcRequest, serve: () => Promise<Result>): Promise<RpcResponse> {
  try {
    return { result: await serve(), jsonrpc: '2.0', id };
  } catch (error) {
    return { jsonrpc: '2.0', id, error: failureOf(error) };
  }
}

/** Serves a request of either era. @throws `RpcError` */
export async function serveRequest(host: ServerParts, request: WireRequest): Promise<Result> {
  const { era } = request;
  const method = methodOf(host, request.method, era);
  if (method.capability === 'tasks')
    return await host.run(() => serveTask(host, request, clientsOf(host, request)));
  const result = method.call ? await call(host, request, method.call) : await plain(host, request, method);
  const ttlMs =
    era === '2026' && (result.resultType ?? 'complete') === 'complete' ? ttlOf(host, method) : undefined;
  return ttlMs === undefined ? result : { ...result, ttlMs, cacheScope: 'private' };
}

async function plain(
  host: ServerParts,
  request: WireRequest,
  method: ReturnType<typeof methodOf>,
): Promise<Result> {
  const { caller, era, params, name, own } = request;
  if (!method.answer) {
    const answer = own?.[request.method];
    if (!answer) throw unknownMethod(request.method);
    return answer(params);
  }
  // Who would answer a call that nobody has made yet.
  const wire: Client = { name, capabilities: () => request.capabilities(), can: () => false };
  const { capabilities, isOnPage } = listedFor(host, request, wire);
  const result = await method.answer(host, { caller, era, params, capabilities });
  return isOnPage && method.list === 'tools' && host.early ? host.early.listed(result) : result;
}

async function call(
  host: ServerParts,
  request: WireRequest,
  callableOf: NonNullable<Method['call']>,
): Promise<Result> {
  const { caller, era, params, goesOn } = request;
  const { early } = host;
  if (early && request.method === 'tools/call' && !goesOn) {
    const before = early.of(request);
    if (before || params.name === RESULT_TOOL) return await host.run(() => early.result(request, before));
  }
  const catching = catchUp(host, request);
  try {
    const note = catching && (await catching);
    const callable = callableOf(host, caller, era, params, goesOn);
    const running = host.run(() => request.run(new WireCall(host, request, callable)));
    return note === undefined ? await running : await noted(running, note);
  } catch (error) {
    if (!(error instanceof RefusedCall)) throw error;
    // Who asks for a task reads a task, or an error.
    if (request.era === '2025' && request.takesTasks) throw invalidParams(textIn(error.result));
    return error.result;
  }
}

/** Catches up with what a call runs, where tools change while they are served. */
function catchUp(
  { surface, run }: ServerParts,
  { method, caller, params, goesOn }: WireRequest,
): Promise<string | undefined> | undefined {
  const { name, arguments: args } = params;
  if (!surface.catchUp || method !== 'tools/call' || typeof name !== 'string') return undefined;
  const catching = surface.catchUp(caller, name, args);
  return run(() => catching).catch((error: unknown) => {
    // What goes on runs what it began with, whatever has become of its file.
    if (goesOn) return undefined;
    throw new RefusedCall({ ...encodeError(name, errorData(error)) });
  });
}

/** What came of a call, with a note behind it, also where it could not begin. */
async function noted(running: Promise<Result>, note: string): Promise<Result> {
  try {
    return withNote(await running, note);
  } catch (error) {
    throw error instanceof RefusedCall ? new RefusedCall(withNote(error.result, note)) : error;
  }
}

function textIn({ content }: Result): string {
  const [first] = Array.isArray(content) ? content : [];
  return isObject(first) ? String(first.text) : 'the call was refused';
}

/** Who is asked about tasks that a request is about. */
function clientsOf(host: ServerParts, request: WireRequest): TaskClients {
  return {
    absent: absentClient(host, request),
    person: personBeside(host, request),
    present: (callable) => new WireCall(host, request, callable).rest,
  };
}
