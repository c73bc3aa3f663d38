import {
  APP_TOOLS,
  copy,
  keep,
  pageProblem,
  readFromHost,
  type ToHost,
  type Watched,
  type WatchInput,
  watched,
} from '../../src/panel-port/index.ts';
import type { Port } from '../page/port.ts';
import { type Bridge, RefusedError } from './bridge.ts';
import { drawingMemory } from './drawing-memory.ts';

/** The page's end of the port where an MCP host shows it, and how it hears of what becomes of the page. */
export interface AppPort extends Port {
  /** Follows the call that was made with this input, until it has ended, or another one is followed: that one is gone then. */
  follow(sought: Sought): Promise<Followed>;
}

/** What the page knows of its call. */
export type Sought = Omit<WatchInput, 'ticket' | 'after'>;

/** What came of following a call. */
export interface Followed {
  /** `gone`: the server has no call for this page: over for long, or of a time before it was started again. */
  readonly state: 'ended' | 'elsewhere' | 'gone';
  /** What the model is to be told. */
  readonly told?: Watched['told'];
}

/** How long a page waits before it asks again after a failure, in milliseconds: a host that was away comes back. */
const PAUSE = 1_000;

/**
 * The run panel's port over tools that only the page sees: one waits for messages, one sends them. `ticket` says which
 * drawing this is.
 */
export function createAppPort(
  bridge: Bridge,
  ticket: string,
  outside = true,
  memory: Port['memory'] = drawingMemory(ticket),
): AppPort {
  let listener: (message: Parameters<Parameters<Port['listen']>[0]>[0]) => void = () => {};
  let latest: Sought;
  let sending: Promise<unknown> = Promise.resolve();

  const post = (message: ToHost): void => {
    if (copy.is(message)) return void navigator.clipboard?.writeText(message.body.text);
    // What a drawing remembers is forgotten with it.
    if (keep.is(message)) return;
    sending = sending
      .then(() => bridge.callTool(APP_TOOLS.send, { ticket, messages: [message] }))
      .catch((error: unknown) => console.warn('parley: an answer did not get through', error));
  };
  const receive = (data: unknown): void => {
    const received = readFromHost(data);
    if (received.case === 'message') listener(received.message);
    if (received.case === 'malformed') post(pageProblem({ message: received.error.message }));
  };

  return {
    outside,
    post,
    listen(given) {
      listener = given;
      return () => {
        listener = () => {};
      };
    },
    memory,
    async follow(sought) {
      latest = sought;
      let after = 0;
      let failures = 0;
      let found = false;
      for (;;) {
        try {
          const { state, messages, at, told } = watched.parse(
            await bridge.callTool(APP_TOOLS.watch, { ticket, ...sought, after }),
          );
          // They may be those of another call.
          if (latest !== sought) return { state: 'gone' };
          for (const message of messages) receive(message);
          found ||= state === 'open' || messages.length > 0;
          if (state === 'ended' && !found) return { state: 'gone' };
          if (state !== 'open') return { state, told };
          after = at;
          failures = 0;
        } catch (error) {
          // The server knows nothing of this page: it is another one than that which drew it.
          if (error instanceof RefusedError) return { state: 'gone' };
          if (latest !== sought) return { state: 'gone' };
          failures += 1;
          if (failures > 5) throw error;
          await new Promise((resolve) => setTimeout(resolve, PAUSE * failures));
        }
      }
    },
  };
}
