import type { JsonObject } from '../../src/core/messages/json.ts';
import {
  isJsonObject,
  keep,
  pageProblem,
  readFromHost,
  type ToHost,
  type ToPage,
} from '../../src/panel-port/index.ts';
import { isLonger } from './is-longer.ts';

/** Characters of memory up to which a host keeps it for the next window. */
const MOST_KEPT = 500_000;

/** What `acquireVsCodeApi()` gives. */
export interface VsCodeApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

/** The page's end of the port. */
export interface Port {
  /** There is no editor at the other end: nothing to open, to pick or to save in. */
  readonly outside?: boolean;
  post(message: ToHost): void;
  /** Calls `listener` with every well-formed message of the host, until the returned function is called. */
  listen(listener: (message: ToPage) => void): () => void;
  /** What this panel kept through being hidden, reloaded or closed. */
  readonly memory: { get(): unknown; set(state: JsonObject): void };
}

/**
 * A port over VS Code's API. Messages of others are ignored; malformed ones go to the host's log. `take` gives what arrived
 * before anybody listened, and `kept` what the page of an earlier window left with the host.
 */
export function createPort(
  api: VsCodeApi,
  source: EventTarget,
  take: () => readonly unknown[] = () => [],
  kept?: unknown,
): Port {
  const post = (message: ToHost): void => api.postMessage(message);
  return {
    post,
    listen(listener) {
      const receive = (data: unknown): void => {
        const received = readFromHost(data);
        if (received.case === 'message') listener(received.message);
        if (received.case === 'malformed') post(pageProblem({ message: received.error.message }));
      };
      const onMessage = (event: Event): void => receive((event as MessageEvent<unknown>).data);
      source.addEventListener('message', onMessage);
      for (const data of take()) receive(data);
      return () => source.removeEventListener('message', onMessage);
    },
    memory: {
      get: () => newer(api.getState(), kept),
      set(given) {
        const state = { ...given, age: ageOf(newer(api.getState(), kept)) + 1 };
        api.setState(state);
        // Files that were given are kept by the page alone.
        if (!isLonger(state, MOST_KEPT)) post(keep({ memory: state }));
      },
    },
  };
}

/** The editor may have closed before it kept the last of it, and so may the host: the one that was written later counts. */
function newer(one: unknown, other: unknown): unknown {
  return isJsonObject(one) && ageOf(one) >= ageOf(other) ? one : (other ?? one);
}

function ageOf(state: unknown): number {
  return isJsonObject(state) && typeof state.age === 'number' ? state.age : 0;
}
