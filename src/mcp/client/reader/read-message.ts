import { defined } from '../../../core/schema/defined.ts';
import { isObject } from '../../../core/schema/is-object.ts';
import { isId, type RpcErrorObject, type RpcId, type RpcMessage } from '../../wire/rpc/json-rpc.ts';
import { RPC } from '../../wire/rpc/rpc-error.ts';

/** Lists and objects within each other that a message may have: recursion in libraries ends not far above. */
const DEPTH = 100;

/** An object of JSON. */
export type Json = Readonly<Record<string, unknown>>;

/**
 * The message that a server meant, as the SDK takes one: the SDK drops any other without a word, and who asked would wait for the
 * answer. What carries the id of a request and no method is an answer, whatever else is wrong with it. Null is absent.
 *
 * @returns nothing for a value that is no message
 */
export function readMessage(value: unknown): RpcMessage | undefined {
  if (!isObject(value)) return undefined;
  const { method, error, result } = value;
  const jsonrpc = '2.0';
  const id = isId(value.id) ? value.id : undefined;
  const answers = isGiven(error) || isGiven(result);
  if (typeof method === 'string' && !answers) {
    const params = isObject(value.params)
      ? isDeep(value.params)
        ? {}
        : withoutNulls(value.params)
      : undefined;
    return { jsonrpc, method, ...defined({ id, params }) };
  }
  if (isGiven(error)) return { jsonrpc, error: readError(error), ...defined({ id }) };
  if (id === undefined) return undefined;
  const read = readResult(value);
  return typeof read === 'string' ? failed(id, read) : { jsonrpc, id, result: read };
}

/** An answer that says why there is none. */
export function failed(id: RpcId, message: string): RpcMessage {
  return { jsonrpc: '2.0', id, error: { code: RPC.refused, message } };
}

function readResult(answer: Json): Json | string {
  if (!('result' in answer)) return 'the server answered with neither a result nor an error';
  const { result } = answer;
  if (!isGiven(result)) return {};
  if (!isObject(result)) return 'the server answered with a result that is no object';
  if (isDeep(result)) return `the answer is nested deeper than ${DEPTH} levels`;
  return withoutNulls(result);
}

/** In the server's own words, wherever it put them. */
function readError(given: unknown): RpcErrorObject {
  const error = isDeep(given) ? `the error is nested deeper than ${DEPTH} levels` : given;
  const { code, message, data }: Json = isObject(error) ? error : { message: error };
  const number = typeof code === 'string' && code !== '' ? Number(code) : code;
  const said = typeof message === 'string' && message.trim() !== '' ? message : undefined;
  return {
    code: Number.isSafeInteger(number) ? (number as number) : RPC.refused,
    message:
      said ?? `the server answered with an error without a message: ${JSON.stringify(error).slice(0, SHOWN)}`,
    ...defined({ data }),
  };
}

/** Characters of an error without words that are shown. */
const SHOWN = 500;

/** What holds data or a schema, in which null says something. */
const DATA: ReadonlySet<string> = new Set([
  ...['inputSchema', 'outputSchema', 'requestedSchema', 'structuredContent', 'data', 'input'],
  ...['metadata', 'experimental', 'extensions'],
]);

function withoutNulls(object: Json): Json {
  return Object.fromEntries(
    Object.entries(object).flatMap(([name, value]) => {
      if (!isGiven(value)) return [];
      if (name === '_meta') return isObject(value) ? [[name, readMeta(value)]] : [];
      return [[name, DATA.has(name) ? value : withoutNullsIn(value)]];
    }),
  );
}

function withoutNullsIn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNullsIn);
  return isObject(value) ? withoutNulls(value) : value;
}

/** It is open, but for the two fields that the SDK reads. */
function readMeta(meta: Json): Json {
  return Object.fromEntries(
    Object.entries(meta).filter(([name, value]) => {
      if (name === 'progressToken') return isId(value);
      if (name === RELATED_TASK) return isObject(value) && typeof value.taskId === 'string';
      return isGiven(value);
    }),
  );
}

const RELATED_TASK = 'io.modelcontextprotocol/related-task';

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** Whether a value is nested deeper than is read. It looks no deeper itself, so that it may call itself. */
function isDeep(value: unknown, left = DEPTH): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (left === 0) return true;
  const parts: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  return parts.some((part) => isDeep(part, left - 1));
}
