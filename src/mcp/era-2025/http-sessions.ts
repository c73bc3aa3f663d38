import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isObject } from '../../core/schema/is-object.ts';
import type { Caller } from '../caller.ts';
import type { HttpLimits } from '../http/limits.ts';
import { refuse, sendJson } from '../http/respond.ts';
import type { RequestEnding } from '../request/wire-request.ts';
import { batchExcess } from '../wire/rpc/envelope-bounds.ts';
import { idOf, isRequest, malformed, messageOf, type RpcMessage } from '../wire/rpc/json-rpc.ts';
import { ID_IN_USE, RPC } from '../wire/rpc/rpc-error.ts';
import { parseEventId } from './event-stream.ts';
import { HttpSession } from './http-session.ts';
import { sessionToEnd } from './session-to-end.ts';

/** What the sessions of one endpoint need. */
export interface HttpSessionsOptions {
  readonly limits: HttpLimits;
  /** Protocol revisions that a client may name after the handshake. */
  readonly revisions: readonly string[];
  /** Puts a server at the other end of a new session. */
  connect(session: HttpSession, caller: Caller): Promise<void>;
}

const NOT_FOUND = 'Session not found';

const STOPPED: RequestEnding = { why: 'the server stops', gone: 'server' };

/** The 2025-era sessions of one HTTP endpoint, and the three methods that clients use on them. */
export class HttpSessions {
  readonly #options: HttpSessionsOptions;
  readonly #sessions = new Map<string, HttpSession>();
  readonly #sweeper: NodeJS.Timeout;

  constructor(options: HttpSessionsOptions) {
    this.#options = options;
    this.#sweeper = setInterval(() => this.#sweep(), 30_000);
    this.#sweeper.unref();
  }

  get size(): number {
    return this.#sessions.size;
  }

  /** @param body the parsed body of a POST */
  async handle(req: IncomingMessage, res: ServerResponse, caller: Caller, body: unknown): Promise<void> {
    switch (req.method) {
      case 'POST':
        return await this.#post(req, res, caller, body);
      case 'GET':
        return await this.#get(req, res, caller);
      case 'DELETE':
        return await this.#delete(req, res, caller);
      default:
        refuse(res, {
          status: 405,
          code: RPC.refused,
          message: 'Method Not Allowed',
          headers: { allow: 'GET, POST, DELETE' },
        });
    }
  }

  /** Ends every session and cuts what is still connected. */
  async close(): Promise<void> {
    clearInterval(this.#sweeper);
    const sessions = [...this.#sessions.values()];
    this.#sessions.clear();
    await Promise.all(sessions.map((session) => session.endAll(STOPPED)));
  }

  /** Ends all sessions of a principal. */
  async dismiss(principal: string, why: string): Promise<void> {
    const theirs = [...this.#sessions.values()].filter((session) => session.principal === principal);
    for (const { sessionId } of theirs) this.#sessions.delete(sessionId);
    await Promise.all(theirs.map((session) => session.endAll({ why })));
  }

  async #post(req: IncomingMessage, res: ServerResponse, caller: Caller, body: unknown): Promise<void> {
    const accept = req.headers.accept ?? '';
    if (
      !accept.includes('*/*') &&
      !(accept.includes('application/json') && accept.includes('text/event-stream'))
    ) {
      const message = 'Not Acceptable: accept both application/json and text/event-stream';
      return refuse(res, { status: 406, code: RPC.refused, message });
    }
    const batch = Array.isArray(body);
    const values: readonly unknown[] = batch ? body : [body];
    const messages: RpcMessage[] = [];
    for (const value of values) {
      const message = messageOf(value);
      if (!message) {
        sendJson(res, 400, malformed(value));
        return;
      }
      messages.push(message);
    }
    const wrong = batchExcess(messages);
    if (wrong !== undefined) {
      const message = `Invalid request: ${wrong}`;
      return refuse(res, { status: 400, code: RPC.invalidRequest, message });
    }
    const opening = messages.some((message) => 'method' in message && message.method === 'initialize');
    if (opening && (batch || !isRequest(messages[0] as RpcMessage))) {
      const message = 'Invalid request: initialize must be a request, and the only one';
      return refuse(res, { status: 400, code: RPC.invalidRequest, message });
    }
    const session = opening
      ? await this.#open(req, res, caller, body)
      : await this.#find(req, res, caller, body);
    if (!session) return;
    const ids = messages.filter(isRequest).map((message) => message.id);
    if (new Set(ids).size < ids.length || session.hasPending(ids)) {
      return refuse(res, { status: 400, code: RPC.invalidRequest, message: ID_IN_USE, id: idOf(body) });
    }
    session.post(messages, batch, res);
  }

  async #get(req: IncomingMessage, res: ServerResponse, caller: Caller): Promise<void> {
    if (!(req.headers.accept ?? '').includes('text/event-stream')) {
      refuse(res, { status: 406, code: RPC.refused, message: 'Not Acceptable: accept text/event-stream' });
      return;
    }
    const session = await this.#find(req, res, caller, undefined);
    if (!session) return;
    const last = req.headers['last-event-id'];
    const from = last === undefined ? undefined : parseEventId(String(last));
    if ((last !== undefined && !from) || !session.get(res, from)) {
      const message = 'Bad Request: nothing is kept after this Last-Event-ID';
      refuse(res, { status: 400, code: RPC.refused, message });
    }
  }

  async #delete(req: IncomingMessage, res: ServerResponse, caller: Caller): Promise<void> {
    const session = await this.#find(req, res, caller, undefined);
    if (!session) return;
    await this.#end(session);
    res.writeHead(200).end();
  }

  async #open(
    req: IncomingMessage,
    res: ServerResponse,
    caller: Caller,
    body: unknown,
  ): Promise<HttpSession | undefined> {
    if (req.headers['mcp-session-id'] !== undefined) {
      const message = 'Invalid request: this session has been initialized already';
      refuse(res, { status: 400, code: RPC.invalidRequest, message, id: idOf(body) });
      return undefined;
    }
    if (this.#sessions.size >= this.#options.limits.maxSessions) await this.#makeRoom(caller.name);
    if (this.#sessions.size >= this.#options.limits.maxSessions) {
      const message = 'Too many sessions: try again later';
      refuse(res, {
        status: 503,
        code: RPC.refused,
        message,
        id: idOf(body),
        headers: { 'retry-after': '60' },
      });
      return undefined;
    }
    const session = new HttpSession(randomUUID(), caller.name, this.#options.limits);
    this.#sessions.set(session.sessionId, session);
    try {
      await this.#options.connect(session, caller);
    } catch (error) {
      this.#sessions.delete(session.sessionId);
      throw error;
    }
    return session;
  }

  async #find(
    req: IncomingMessage,
    res: ServerResponse,
    caller: Caller,
    body: unknown,
  ): Promise<HttpSession | undefined> {
    const id = req.headers['mcp-session-id'];
    const revision = req.headers['mcp-protocol-version'];
    if (typeof id !== 'string') {
      const message = 'Bad Request: call initialize first, then send its Mcp-Session-Id';
      refuse(res, { status: 400, code: RPC.refused, message, id: idOf(body) });
      return undefined;
    }
    const session = this.#sessions.get(id);
    // A session of somebody else does not exist, as far as this caller can tell.
    if (!session || session.principal !== caller.name) {
      refuse(res, { status: 404, code: RPC.sessionNotFound, message: NOT_FOUND, id: idOf(body) });
      return undefined;
    }
    if (revision !== undefined && !this.#options.revisions.includes(String(revision))) {
      const message = `Bad Request: unsupported MCP-Protocol-Version; this server knows ${this.#options.revisions.join(', ')}`;
      refuse(res, { status: 400, code: RPC.refused, message, id: isObject(body) ? idOf(body) : null });
      return undefined;
    }
    return session;
  }

  /** Ends a session: many clients never say that they leave, and one that has many must not lock the others out. */
  async #makeRoom(newcomer: string): Promise<void> {
    const found = sessionToEnd([...this.#sessions.values()], newcomer);
    if (!found) return;
    await this.#end(found);
    found.destroy();
  }

  async #end(session: HttpSession): Promise<void> {
    this.#sessions.delete(session.sessionId);
    await session.close();
  }

  #sweep(): void {
    const now = Date.now();
    for (const session of this.#sessions.values()) {
      session.sweep(now);
      if (session.busy || now - session.lastUsed < this.#options.limits.sessionTtl) continue;
      this.#sessions.delete(session.sessionId);
      session.close().catch(() => {});
    }
  }
}
