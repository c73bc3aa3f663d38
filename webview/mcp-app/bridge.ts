/** A message of JSON-RPC 2.0, as hosts of MCP Apps and their pages exchange them. */
interface RpcMessage {
  readonly jsonrpc: '2.0';
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly message?: string };
}

/** What a host says of itself (`ui/initialize`), as far as this page goes by it. */
export interface HostContext {
  /** The request that the page was drawn for, as the host numbered it. */
  readonly toolInfo?: { readonly id?: unknown };
  /** What VS Code calls the call in its conversation. */
  readonly toolCall?: { readonly toolCallId?: unknown };
  readonly containerDimensions?: { readonly maxHeight?: number };
  readonly theme?: 'light' | 'dark';
  readonly styles?: { readonly variables?: Readonly<Record<string, string>> };
}

/** What a host can do for its pages (`ui/initialize`), as far as this page goes by it. */
export interface HostCapabilities {
  /** The page may add to what the model knows; and may speak in the conversation. */
  readonly updateModelContext?: object;
  readonly message?: object;
}

/** The handshake's answer. */
export interface Handshake {
  readonly context: HostContext;
  readonly capabilities: HostCapabilities;
}

/** The tool answered that it will not do this: to ask again helps nothing. */
export class RefusedError extends Error {}

/**
 * The page's line to the host that shows it (MCP Apps, SEP-1865: `ui/*` over `postMessage`). Everything a page may do goes
 * through it: call its server's tools, say how high it is.
 */
export interface Bridge {
  /** Calls a tool of the page's own server; resolves with the result's `structuredContent`. */
  callTool(name: string, args: object): Promise<unknown>;
  /** Asks the host itself. */
  request(method: string, params: object): Promise<unknown>;
  notify(method: string, params: object): void;
  /**
   * Calls `listener` with the parameters of each notification of this name; the last listener counts. What came before anybody
   * listened is given at once.
   */
  on(method: string, listener: (params: unknown) => void): void;
  /** The handshake; the host talks to the page only after it. */
  initialize(): Promise<Handshake>;
}

const PROTOCOL = '2026-01-26';

/** Notifications that are kept at most for a page that does not listen yet. */
const MOST_KEPT = 100;

/** A bridge to `host`, which talks on `source`'s message event. Whatever is no answer and no notification is ignored. */
export function createBridge(host: Pick<Window, 'postMessage'>, source: EventTarget): Bridge {
  let next = 1;
  const waiting = new Map<number | string, (message: RpcMessage) => void>();
  const listeners = new Map<string, (params: unknown) => void>();
  let kept: RpcMessage[] = [];
  const post = (message: Omit<RpcMessage, 'jsonrpc'>): void =>
    host.postMessage({ jsonrpc: '2.0', ...message }, '*');

  const request = (method: string, params: object): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const id = next++;
      waiting.set(id, ({ result, error }) =>
        error ? reject(new Error(error.message ?? `${method} failed`)) : resolve(result),
      );
      post({ id, method, params });
    });

  source.addEventListener('message', (event) => {
    const { data, source: from } = event as MessageEvent<unknown>;
    if (from && from !== host) return;
    if (!isRpc(data)) return;
    if (data.method !== undefined) {
      // A request of the host's wants an answer; there is nothing it could ask this page for.
      if (data.id !== undefined) return post({ id: data.id, result: {} });
      const listener = listeners.get(data.method);
      if (listener) listener(data.params);
      else if (kept.length < MOST_KEPT) kept.push(data);
      return;
    }
    const settle = data.id === undefined ? undefined : waiting.get(data.id);
    if (!settle || data.id === undefined) return;
    waiting.delete(data.id);
    settle(data);
  });

  return {
    async callTool(name, args) {
      const result = (await request('tools/call', { name, arguments: args })) as ToolResult | undefined;
      if (result?.isError)
        throw new RefusedError(result.content?.find(({ text }) => text)?.text ?? `${name} failed`);
      return result?.structuredContent;
    },
    request,
    notify: (method, params) => post({ method, params }),
    on(method, listener) {
      listeners.set(method, listener);
      const before = kept.filter((message) => message.method === method);
      kept = kept.filter((message) => message.method !== method);
      for (const { params } of before) listener(params);
    },
    async initialize() {
      const initialized = (await request('ui/initialize', {
        protocolVersion: PROTOCOL,
        appInfo: { name: 'parley', version: '1' },
        appCapabilities: {},
      })) as { hostContext?: HostContext; hostCapabilities?: HostCapabilities } | undefined;
      post({ method: 'ui/notifications/initialized', params: {} });
      return { context: initialized?.hostContext ?? {}, capabilities: initialized?.hostCapabilities ?? {} };
    },
  };
}

interface ToolResult {
  readonly isError?: boolean;
  readonly content?: ReadonlyArray<{ readonly text?: string }>;
  readonly structuredContent?: unknown;
}

function isRpc(data: unknown): data is RpcMessage {
  return typeof data === 'object' && data !== null && 'jsonrpc' in data && data.jsonrpc === '2.0';
}
