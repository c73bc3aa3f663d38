import { defined } from '../../../core/schema/defined.ts';
import { isObject } from '../../../core/schema/is-object.ts';
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

/** Whether a value may be the id of a request. */
export function isId(value: unknown): value is RpcId {
  return typeof value === 'string' || (typeof value === 'number' && Number.isSafeInteger(value));
}

const REQUEST_FIELDS: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'method', 'params']);
const NOTIFICATION_FIELDS: ReadonlySet<string> = new Set(['jsonrpc', 'method', 'params']);
const RESULT_FIELDS: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'result']);
const ERROR_FIELDS: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'error']);

/**
 * The message in a parsed JSON value, or `undefined` when it is none. As strict as the SDKs are with what they get.
 */
export function messageOf(value: unknown): RpcMessage | undefined {
  return isObject(value) && value.jsonrpc === '2.0' && isMessage(value)
    ? (value as unknown as RpcMessage)
    : undefined;
}

function isMessage(value: Readonly<Record<string, unknown>>): boolean {
  if ('method' in value) {
    const { method, params } = value;
    if (typeof method !== 'string' || !(params === undefined || isParams(params))) return false;
    return 'id' in value ? isId(value.id) && only(value, REQUEST_FIELDS) : only(value, NOTIFICATION_FIELDS);
  }
  if ('result' in value) return isResult(value.result) && isId(value.id) && only(value, RESULT_FIELDS);
  const { id, error } = value;
  return isErrorObject(error) && (id === undefined || isId(id)) && only(value, ERROR_FIELDS);
}

function only(value: object, fields: ReadonlySet<string>): boolean {
  return Object.keys(value).every((field) => fields.has(field));
}

function isParams(params: unknown): boolean {
  return isObject(params) && isMeta(params._meta);
}

function isResult(result: unknown): boolean {
  return isObject(result) && isMeta(result._meta);
}

/** `_meta` is open, but for the two fields that the protocol itself reads. */
function isMeta(meta: unknown): boolean {
  if (meta === undefined) return true;
  if (!isObject(meta)) return false;
  const { progressToken, [RELATED_TASK]: task } = meta;
  return (
    (progressToken === undefined || isId(progressToken)) &&
    (task === undefined || (isObject(task) && typeof task.taskId === 'string'))
  );
}

const RELATED_TASK = 'io.modelcontextprotocol/related-task';

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
  return { jsonrpc: '2.0', id, error: { code, message, ...defined({ data }) } };
}

/** The id to answer a malformed message with: its own where that can be read. */
export function idOf(value: unknown): RpcId | null {
  return isObject(value) && isId(value.id) ? value.id : null;
}

/** What is said of a value that is no message. */
export const NO_MESSAGE = 'Invalid request: this is not a JSON-RPC 2.0 message';

/** What to answer it with. */
export function malformed(value: unknown): unknown {
  return errorResponse(idOf(value), RPC.invalidRequest, NO_MESSAGE);
}
