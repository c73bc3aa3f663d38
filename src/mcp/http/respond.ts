import type { ServerResponse } from 'node:http';
import { errorResponse, type RpcId } from '../wire/rpc/json-rpc.ts';
import { RpcError } from '../wire/rpc/rpc-error.ts';

/** Answers with JSON. */
export function sendJson(
  res: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (res.headersSent || res.destroyed) return;
  const text = JSON.stringify(body);
  res.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    ...headers,
  });
  res.end(text);
}

/** A refusal on the HTTP level: a status, and a JSON-RPC error as its body, since clients read that. */
export interface Refusal {
  readonly status: number;
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
  readonly id?: RpcId | null;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** What an era refuses a request with, where that is not 400. */
export class HttpRefusal extends RpcError {
  readonly status: number;
  readonly headers: Refusal['headers'];

  constructor(status: number, code: number, message: string, headers?: Refusal['headers']) {
    super(code, message);
    this.status = status;
    this.headers = headers;
  }
}

const listeners = new WeakMap<ServerResponse, (refusal: Refusal) => void>();

/** Tells of what a response is refused with. */
export function onRefusal(res: ServerResponse, tell: (refusal: Refusal) => void): void {
  listeners.set(res, tell);
}

/** Answers with a refusal. */
export function refuse(res: ServerResponse, refusal: Refusal): void {
  const { status, code, message, data, id = null, headers } = refusal;
  listeners.get(res)?.(refusal);
  sendJson(res, status, errorResponse(id, code, message, data), headers);
}
