import { EventSourceParserStream } from 'eventsource-parser/stream';

/** A JSON-RPC message, as loosely as tests read it. */
export interface Message {
  readonly id?: string | number | null;
  readonly method?: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into it as far as they need
  readonly params?: any;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into it as far as they need
  readonly result?: any;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into it as far as they need
  readonly error?: any;
}

/** A message and the id of the event that carried it. */
export interface Event {
  readonly id: string | undefined;
  readonly message: Message | undefined;
}

/** The answer to a POST: its head, and its messages as they come, whether it is JSON or a stream. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  /** The next event; `undefined` at the end. */
  next(): Promise<Event | undefined>;
  /** Messages up to and including the first that fits. */
  until(fits: (message: Message) => boolean): Promise<Message>;
  /** All messages up to the end. */
  rest(): Promise<Message[]>;
  /** Breaks the connection. */
  drop(): void;
}

/** Sends one HTTP request. */
export async function send(
  url: URL,
  init: { method?: string; headers?: Record<string, string>; body?: unknown; raw?: string },
): Promise<Reply> {
  const controller = new AbortController();
  const body = init.raw ?? (init.body === undefined ? undefined : JSON.stringify(init.body));
  const response = await fetch(url, {
    method: init.method ?? 'POST',
    signal: controller.signal,
    headers: {
      accept: 'application/json, text/event-stream',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...init.headers,
    },
    ...(body === undefined ? {} : { body }),
  });
  return replyOf(response, () => controller.abort());
}

function replyOf(response: Response, drop: () => void): Reply {
  const read = readerOf(response);
  const next = async () => {
    const { value, done } = await read.next();
    return done ? undefined : value;
  };
  return {
    status: response.status,
    headers: response.headers,
    next,
    async until(fits) {
      for (;;) {
        const event = await next();
        if (!event) throw new Error('the stream ended before the message came');
        if (event.message && fits(event.message)) return event.message;
      }
    },
    async rest() {
      const messages: Message[] = [];
      for (let event = await next(); event; event = await next())
        if (event.message) messages.push(event.message);
      return messages;
    },
    drop,
  };
}

async function* readerOf(response: Response): AsyncGenerator<Event, void> {
  if (!response.body) return;
  if (!response.headers.get('content-type')?.includes('text/event-stream')) {
    const text = await response.text();
    if (text === '') return;
    const value = JSON.parse(text) as Message | Message[];
    for (const message of Array.isArray(value) ? value : [value]) yield { id: undefined, message };
    return;
  }
  const events = response.body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream());
  for await (const { id, data } of events) {
    yield { id, message: data === '' ? undefined : (JSON.parse(data) as Message) };
  }
}

/** A 2025-era client on the wire: a session, and requests in it. */
export interface Session2025 {
  readonly id: string;
  readonly headers: Record<string, string>;
  request(id: string | number, method: string, params?: unknown): Promise<Reply>;
  notify(method: string, params?: unknown): Promise<Reply>;
  answer(id: string | number, result: unknown): Promise<Reply>;
  get(lastEventId?: string): Promise<Reply>;
  delete(): Promise<Reply>;
}

/** Initializes a session. */
export async function openSession(
  url: URL,
  capabilities: unknown = { elicitation: {}, sampling: {} },
  headers: Record<string, string> = {},
  protocolVersion = '2025-11-25',
  name = 'wire',
): Promise<Session2025> {
  const clientInfo = { name, version: '1.0.0' };
  const opened = await send(url, {
    headers,
    body: {
      jsonrpc: '2.0',
      id: 0,
      method: 'initialize',
      params: { protocolVersion, capabilities, clientInfo },
    },
  });
  await opened.rest();
  const id = opened.headers.get('mcp-session-id');
  if (opened.status !== 200 || id === null) throw new Error(`initialize failed with ${opened.status}`);
  const all = { ...headers, 'mcp-session-id': id, 'mcp-protocol-version': protocolVersion };
  const session = sessionAt(url, { id, headers: all });
  await session.notify('notifications/initialized');
  return session;
}

/** A session at an address: another server may go on with it. */
export function sessionAt(url: URL, { id, headers }: Pick<Session2025, 'id' | 'headers'>): Session2025 {
  const all = { ...headers, 'mcp-session-id': id };
  return {
    id,
    headers: all,
    request: (requestId, method, params) =>
      send(url, {
        headers: all,
        body: { jsonrpc: '2.0', id: requestId, method, ...(params ? { params } : {}) },
      }),
    notify: (method, params) =>
      send(url, { headers: all, body: { jsonrpc: '2.0', method, ...(params ? { params } : {}) } }),
    answer: (requestId, result) =>
      send(url, { headers: all, body: { jsonrpc: '2.0', id: requestId, result } }),
    get: (lastEventId) =>
      send(url, {
        method: 'GET',
        headers: { ...all, ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }) },
      }),
    delete: () => send(url, { method: 'DELETE', headers: all }),
  };
}

/** What a stateless request carries about its client. */
export function envelope(
  capabilities: unknown = { elicitation: {}, sampling: {}, roots: {} },
  more: object = {},
) {
  return {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'wire', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': capabilities,
    ...more,
  };
}

let requests = 0;

/** Sends a 2026-era request. */
export function stateless(
  url: URL,
  method: string,
  params: Readonly<Record<string, unknown>> = {},
  headers: Record<string, string> = {},
): Promise<Reply> {
  const name = params.name ?? params.uri ?? params.taskId;
  return send(url, {
    headers: {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
      ...headers,
    },
    body: { jsonrpc: '2.0', id: ++requests, method, params: { _meta: envelope(), ...params } },
  });
}

/** Sends a 2026-era request and waits for its answer. */
export async function ask(...args: Parameters<typeof stateless>): Promise<Message> {
  const reply = await stateless(...args);
  return await reply.until((message) => message.result !== undefined || message.error !== undefined);
}

/** What a form is answered with. */
export const accept = (content: object) => ({ action: 'accept', content });

/** One leg of a call (2026): with the state of the last response, and these answers. */
export function leg(
  { url }: { readonly url: URL },
  call: object,
  last?: Message,
  answers?: object,
  headers: Record<string, string> = {},
): Promise<Message> {
  const state = last && { requestState: last.result.requestState };
  return ask(url, 'tools/call', { ...call, ...state, ...(answers && { inputResponses: answers }) }, headers);
}
