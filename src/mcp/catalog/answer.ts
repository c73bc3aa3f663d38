import type { ClientCapabilities } from '../../core/tool/context.ts';
import type { Caller } from '../caller.ts';
import { declaredCapabilities, type ServerParts } from '../host.ts';
import type { Era } from '../wire/era.ts';
import { invalidParams, RPC, RpcError } from '../wire/rpc/rpc-error.ts';
import { CALLING_METHODS, type CallingMethod } from './callable.ts';
import { completeArgument } from './completions.ts';
import { type ListRequest, listPrompts, listResources, listTemplates, listTools } from './lists.ts';

/** A request that is answered without a call. */
export interface PlainRequest {
  readonly caller: Caller;
  readonly era: Era;
  readonly params: Readonly<Record<string, unknown>>;
  /** What whoever answers this caller's calls can do. */
  readonly capabilities: ClientCapabilities;
}

/** Methods that both eras answer in the same way. */
export const PLAIN_METHODS = [
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'completion/complete',
] as const;

/** One of them. */
export type PlainMethod = (typeof PLAIN_METHODS)[number];

/** Whether the method is one of {@link PLAIN_METHODS}. */
export function isPlain(method: string): method is PlainMethod {
  return PLAIN_METHODS.some((one) => one === method);
}

/** Whether the method runs a call. */
export function isCalling(method: string): method is CallingMethod {
  return CALLING_METHODS.some((one) => one === method);
}

const CAPABILITY: Readonly<Record<string, string>> = { completion: 'completions' };

/** @throws `-32601` for a method of a capability that this server does not declare. */
export function requireDeclared(host: ServerParts, method: string): void {
  const group = method.split('/')[0] ?? '';
  if (!((CAPABILITY[group] ?? group) in declaredCapabilities(host))) throw unknownMethod(method);
}

/** `-32601` */
export function unknownMethod(method: string): RpcError {
  return new RpcError(RPC.methodNotFound, `Method not found: ${method}`);
}

/** Answers one of {@link PLAIN_METHODS}. */
export async function answer(
  host: ServerParts,
  method: PlainMethod,
  request: PlainRequest,
): Promise<Readonly<Record<string, unknown>>> {
  const { caller, era, params, capabilities } = request;
  const list: ListRequest = { era, capabilities, cursor: params.cursor, pageSize: host.pageSize };
  requireDeclared(host, method);
  switch (method) {
    case 'tools/list':
      return listTools(host.surface.listed(caller), list);
    case 'prompts/list':
      return listPrompts(host.catalog, list);
    case 'resources/list':
      return await host.run(() => listResources(host.catalog, list));
    case 'resources/templates/list':
      return listTemplates(host.catalog, list);
    case 'completion/complete':
      return await host.run(() => completeArgument(host.catalog, params));
  }
}

/** The URI in params. @throws `-32602` */
export function uriOf(params: Readonly<Record<string, unknown>>): string {
  if (typeof params.uri !== 'string') throw invalidParams("'uri' is missing or not text");
  return params.uri;
}
