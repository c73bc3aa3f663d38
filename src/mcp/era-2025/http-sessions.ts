import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Caller } from '../caller.ts';
import type { EraHandler } from '../http/handler.ts';
import type { HttpLimits } from '../http/limits.ts';
import { HttpRefusal, sendJson } from '../http/respond.ts';
import { STOPPED } from '../request/awaited-request.ts';
import { REVISIONS } from '../wire/era.ts';
import { batchExcess } from '../wire/rpc/envelope-bounds.ts';
import { isRequest, malformed, messageOf, type RpcMessage } from '../wire/rpc/json-rpc.ts';
import { ID_IN_USE, RPC, RpcError } from '../wire/rpc/rpc-error.ts';
import type { Connection2025, Outlet } from './connection.ts';
import { parseEventId } from './event-stream.ts';
import { HttpSession } from './http-session.ts';
import { sessionToEnd } from './session-to-end.ts';

/** What serves a new session. */
export type ConnectSession = (session: Outlet, caller: Caller) => Connection2025;

/** The 2025-era sessions of one HTTP endpoint, and the three methods that clients use on them. */
export class HttpSessions implements EraHandler {
  readonly #limits: HttpLimits;
  readonly #connect: ConnectSession;
  readonly #sessions = new Map<string, HttpSession>();
  readonly #sweeper: NodeJS.Timeout;

  constructor(limits: HttpLimits, connect: ConnectSession) {
    this.#limits = limits;
    this.#connect = connect;
    this.#sweeper = setInterval(() => this.#sweep(), 30_000);
    this.#sweeper.unref();
  }

  handle({ method, headers }: IncomingMessage, res: ServerResponse, caller: Caller, body: unknown): void {
    if (method === 'POST') this.#post(headers, res, caller, body);
    else if (method === 'GET') this.#get(headers, res, caller);
    else if (method === 'DELETE') {
      this.#end(this.#find(headers, caller));
      res.writeHead(200).end();
    } else throw new HttpRefusal(405, RPC.refused, 'Method Not Allowed', { allow: 'GET, POST, DELETE' });
  }

  /** Ends every session and cuts what is still connected. */
  close(): void {
    clearInterval(this.#sweeper);
    for (const session of this.#sessions.values()) session.endAll(STOPPED);
    this.#sessions.clear();
  }

  /** Ends all sessions of a principal. */
  dismiss(principal: string, why: string): void {
    for (const session of this.#sessions.values()) {
      if (session.principal !== principal) continue;
      this.#sessions.delete(session.sessionId);
      session.endAll({ why });
    }
  }

  #post(headers: IncomingHttpHeaders, res: ServerResponse, caller: Caller, body: unknown): void {
    const { accept = '' } = headers;
    const takesBoth = accept.includes('application/json') && accept.includes('text/event-stream');
    if (!takesBoth && !accept.includes('*/*')) {
      const message = 'Not Acceptable: accept both application/json and text/event-stream';
      throw new HttpRefusal(406, RPC.refused, message);
    }
    const batch = Array.isArray(body);
    const messages: RpcMessage[] = [];
    for (const value of batch ? body : [body]) {
      const message = messageOf(value);
      if (!message) {
        sendJson(res, 400, malformed(value));
        return;
      }
      messages.push(message);
    }
    const wrong = batchExcess(messages);
    if (wrong !== undefined) throw new RpcError(RPC.invalidRequest, `Invalid request: ${wrong}`);
    const requests = messages.filter(isRequest);
    const opening = messages.some((message) => 'method' in message && message.method === 'initialize');
    if (opening && (batch || requests.length === 0)) {
      const message = 'Invalid request: initialize must be a request, and the only one';
      throw new RpcError(RPC.invalidRequest, message);
    }
    const session = opening ? this.#open(headers, caller) : this.#find(headers, caller);
    const ids = requests.map(({ id }) => id);
    if (new Set(ids).size < ids.length || session.hasPending(ids))
      throw new RpcError(RPC.invalidRequest, ID_IN_USE);
    session.post(messages, batch, res);
  }

  #get(headers: IncomingHttpHeaders, res: ServerResponse, caller: Caller): void {
    const { accept = '', 'last-event-id': last } = headers;
    if (!accept.includes('text/event-stream'))
      throw new HttpRefusal(406, RPC.refused, 'Not Acceptable: accept text/event-stream');
    const session = this.#find(headers, caller);
    const from = last === undefined ? undefined : parseEventId(String(last));
    if ((last !== undefined && !from) || !session.get(res, from))
      throw new RpcError(RPC.refused, 'Bad Request: nothing is kept after this Last-Event-ID');
  }

  #open(headers: IncomingHttpHeaders, caller: Caller): HttpSession {
    const { maxSessions } = this.#limits;
    if (headers['mcp-session-id'] !== undefined)
      throw new RpcError(RPC.invalidRequest, 'Invalid request: this session has been initialized already');
    if (this.#sessions.size >= maxSessions) this.#makeRoom(caller.name);
    if (this.#sessions.size >= maxSessions) {
      const message = 'Too many sessions: try again later';
      throw new HttpRefusal(503, RPC.refused, message, { 'retry-after': '60' });
    }
    const made = { id: randomUUID(), principal: caller.name, limits: this.#limits };
    const session = new HttpSession(made, (outlet) => this.#connect(outlet, caller));
    this.#sessions.set(session.sessionId, session);
    return session;
  }

  #find(headers: IncomingHttpHeaders, caller: Caller): HttpSession {
    const { 'mcp-session-id': id, 'mcp-protocol-version': revision } = headers;
    if (typeof id !== 'string') {
      const message = 'Bad Request: call initialize first, then send its Mcp-Session-Id';
      throw new RpcError(RPC.refused, message);
    }
    const session = this.#sessions.get(id);
    // A session of somebody else does not exist, as far as this caller can tell.
    if (!session || session.principal !== caller.name)
      throw new HttpRefusal(404, RPC.sessionNotFound, 'Session not found');
    if (revision !== undefined && !REVISIONS.includes(String(revision))) {
      const message = `Bad Request: unsupported MCP-Protocol-Version; this server knows ${REVISIONS.join(', ')}`;
      throw new RpcError(RPC.refused, message);
    }
    return session;
  }

  /** Ends a session: many clients never say that they leave, and one that has many must not lock the others out. */
  #makeRoom(newcomer: string): void {
    const found = sessionToEnd([...this.#sessions.values()], newcomer);
    if (!found) return;
    this.#end(found);
    found.destroy();
  }

  #end(session: HttpSession): void {
    this.#sessions.delete(session.sessionId);
    session.close();
  }

  #sweep(): void {
    const now = Date.now();
    for (const session of this.#sessions.values()) {
      session.sweep(now);
      if (!session.busy && now - session.lastUsed >= this.#limits.sessionTtl) this.#end(session);
    }
  }
}
