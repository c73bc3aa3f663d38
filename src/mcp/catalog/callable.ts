import type { JsonValue } from '../../core/messages/json.ts';
import { toolOf } from '../../core/plugin/offer.ts';
import { defined } from '../../core/schema/defined.ts';
import { isObject } from '../../core/schema/is-object.ts';
import type { AnyTool } from '../../core/tool/tool.ts';
import type { EndEvent, ErrorData } from '../../runtime/session/events.ts';
import type { Caller } from '../caller.ts';
import type { ServerParts } from '../host.ts';
import type { Callable } from '../request/open-call.ts';
import type { Era } from '../wire/era.ts';
import { callResultOf, encodeError, resultShapeOf } from '../wire/result.ts';
import { invalidParams, RPC, RpcError, shortened } from '../wire/rpc/rpc-error.ts';

type Params = Readonly<Record<string, unknown>>;

/** `tools/call`. @throws `RpcError` for params that are none, and for a tool that this caller does not have. */
export function toolCall(
  host: ServerParts,
  caller: Caller,
  era: Era,
  params: Params,
  goesOn = false,
): Callable {
  const name = requiredText(params, 'name', 'tools/call');
  const given = argumentsOf(params, 'tools/call');
  const waits = goesOn ? waitingTool(host, caller, name) : undefined;
  const resolved = host.surface.resolve(caller, name, given) ?? (waits && { served: waits, args: given });
  if (!resolved) throw invalidParams(`Unknown tool: ${name}`);
  const tool = toolOf(resolved.served);
  return {
    method: 'tools/call',
    name,
    served: resolved.served,
    tool,
    params: resolved.args,
    given,
    finish: (end) => ({ ...callResultOf(tool.name, resultShapeOf(tool, era), end) }),
    // What could not begin failed by its parameters, and these may be quoted at length.
    refuse: (error) => ({ ...encodeError(tool.name, { ...error, message: shortened(error.message) }) }),
  };
}

/** The tool of a call that waits here, where it is gone since: the call goes on with it. One that is there and not offered any more is not. */
function waitingTool({ catalog, manager }: ServerParts, caller: Caller, name: string): AnyTool | undefined {
  if (catalog.tools.get(name)) return undefined;
  return manager.listActive().find((one) => one.principal === caller.name && one.toolName === name)?.tool;
}

/** `prompts/get`. @throws `RpcError`, as above */
export function promptCall({ catalog }: ServerParts, _caller: Caller, era: Era, params: Params): Callable {
  const name = requiredText(params, 'name', 'prompts/get');
  const args = argumentsOf(params, 'prompts/get');
  const prompt = catalog.prompts.get(name);
  if (!prompt) throw invalidParams(`Unknown prompt: ${name}`);
  const { tool, description } = prompt.def;
  return protocolCallable({ method: 'prompts/get', era }, name, tool, args, (value) => ({
    description,
    ...(isObject(value) ? value : {}),
  }));
}

/** `resources/read`. @throws `RpcError`, as above */
export function resourceCall({ catalog }: ServerParts, _caller: Caller, era: Era, params: Params): Callable {
  const uri = requiredText(params, 'uri', 'resources/read');
  const found = catalog.find(uri);
  if (!found) throw new RpcError(notFound(era), 'Resource not found', { uri: shortened(uri) });
  const args = { ...found.variables, uri };
  return protocolCallable({ method: 'resources/read', era }, uri, found.def.tool, args, (contents) => ({
    contents,
  }));
}

/** Prompts and resources have no place for an error in their result: theirs are protocol errors. */
function protocolCallable(
  { method, era }: { readonly method: string; readonly era: Era },
  name: string,
  tool: AnyTool,
  params: unknown,
  encode: (value: JsonValue | undefined) => Params,
): Callable {
  const refuse = (error: ErrorData): never => {
    const said = saidBy(error);
    const code = error.code === 'PARAMS_INVALID' ? RPC.invalidParams : codeOf(method, era, said?.code);
    const data = error.code === undefined ? undefined : { code: error.code, ...defined({ said }) };
    throw new RpcError(code, error.message, data);
  };
  const finish = (end: EndEvent) => {
    if (end.type === 'result') return encode(end.value);
    return end.type === 'error'
      ? refuse(end.error)
      : refuse({ name: 'Error', message: `cancelled: ${end.reason}` });
  };
  return { method, name, served: tool, tool, params, given: params, finish, refuse };
}

/** What another server answered in place of what is asked for here: the code and the data of its error. */
function saidBy({
  code,
  details,
}: ErrorData): { readonly code?: unknown; readonly data?: unknown } | undefined {
  return code === 'FOREIGN_PROTOCOL' && isObject(details?.said) ? details.said : undefined;
}

/** The code for what another server has refused: that there is no such resource has one of its own in each era, and is said in ours. */
function codeOf(method: string, era: Era, theirs: unknown): number {
  if (theirs !== RPC.invalidParams && theirs !== RPC.resourceNotFound) return RPC.internal;
  return method === 'resources/read' ? notFound(era) : RPC.invalidParams;
}

function notFound(era: Era): number {
  return era === '2025' ? RPC.resourceNotFound : RPC.invalidParams;
}

/** A field that has to be text. @throws `-32602` where it is none */
export function requiredText(params: Params, field: string, method: string): string {
  const value = params[field];
  if (typeof value !== 'string') throw invalidParams(`${method}: '${field}' is missing or not text`);
  return value;
}

function argumentsOf(params: Params, method: string): Params {
  const value = params.arguments;
  if (value === undefined) return {};
  if (!isObject(value)) throw invalidParams(`${method}: 'arguments' is not an object`);
  return value;
}
