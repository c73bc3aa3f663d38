import { pageProblem, readFromHost, type ToHost, type ToPage } from '../src/protocol/index.ts';

/** What `acquireVsCodeApi()` gives. */
export interface VsCodeApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

/** The page's end of the port. */
export interface Port {
  post(message: ToHost): void;
  /** Calls `listener` with every well-formed message of the host, until the returned function is called. */
  listen(listener: (message: ToPage) => void): () => void;
  /** What this panel kept through being hidden or reloaded. */
  readonly memory: { get(): unknown; set(state: unknown): void };
}

/** A port over VS Code's API. Messages of others are ignored; malformed ones go to the host's log. */
export function createPort(api: VsCodeApi, source: EventTarget): Port {
  const post = (message: ToHost): void => api.postMessage(message);
  return {
    post,
    listen(listener) {
      const receive = (event: Event): void => {
        const received = readFromHost((event as MessageEvent<unknown>).data);
        if (received.case === 'message') listener(received.message);
        if (received.case === 'malformed') post(pageProblem({ message: received.error.message }));
      };
      source.addEventListener('message', receive);
      return () => source.removeEventListener('message', receive);
    },
    memory: { get: () => api.getState(), set: (state) => api.setState(state) },
  };
}
