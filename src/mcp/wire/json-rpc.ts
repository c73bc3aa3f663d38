import { RPC } from './rpc-error.ts';

/** The id of a request. Zero and the empty string are ids like any other. */
export type RpcId = string | number;

/** A request. */
export interface RpcRequest {
  readonly jsonrpc: '2.0';
  readonly id: RpcId;
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** A notification. */
export interface RpcNotification {
  readonly jsonrpc: '2.0';
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** An answer: a result or an error. */
export type RpcResponse =
  | { readonly jsonrpc: '2.0'; readonly id: RpcId; readonly result: Readonly<Record<string, unknown>> }
  | { readonly jsonrpc: '2.0'; readonly id?: RpcId; readonly error: RpcErrorObject };

/** The error of an answer. */
export interface RpcErrorObject {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** Any message. */
export type RpcMessage = RpcRequest | RpcNotification | RpcResponse;

/** Whether a value is a plain JSON object. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isId(value: unknown): value is RpcId {
  return typeof value === 'string' || (typeof value === 'number' && Number.isSafeInteger(value));
}

/** The message in a parsed JSON value, or `undefined` when it is none. Nothing else about it is checked. */
export function messageOf(value: unknown): RpcMessage | undefined {
  if (!isObject(value) || value.jsonrpc !== '2.0') return undefined;
  if (typeof value.method === 'string') {
    if (value.params !== undefined && !isObject(value.params)) return undefined;
    if ('id' in value && !isId(value.id)) return undefined;
    return value as unknown as RpcRequest | RpcNotification;
  }
  if (isObject(value.result) && isId(value.id)) return value as unknown as RpcResponse;
  if (isErrorObject(value.error) && (value.id === undefined || isId(value.id))) {
    return value as unknown as RpcResponse;
  }
  return undefined;
}

function isErrorObject(value: unknown): value is RpcErrorObject {
  return isObject(value) && Number.isSafeInteger(value.code) && typeof value.message === 'string';
}

/** Whether the message asks for an answer. */
export function isRequest(message: RpcMessage): message is RpcRequest {
  return 'method' in message && 'id' in message;
}

/** Whether the message is an answer. */
export function isResponse(message: RpcMessage): message is RpcResponse {
  return !('method' in message);
}

/** An error answer. `id` is null when it could not be read. Source: JSON-RPC 2.0, 5. */
export function errorResponse(id: RpcId | null, code: number, message: string, data?: unknown): unknown {
  return { jsonrpc: '2.0', id, error: { code, message, ...(data === undefined ? {} : { data }) } };
}

/** The id to answer a malformed message with: its own where that can be read. */
export function idOf(value: unknown): RpcId | null {
  return isObject(value) && isId(value.id) ? value.id : null;
}

/** What to answer a value that is no message with. */
export function malformed(value: unknown): unknown {
  return errorResponse(
    idOf(value),
    RPC.invalidRequest,
    'Invalid request: this is not a JSON-RPC 2.0 message',
  );
}
