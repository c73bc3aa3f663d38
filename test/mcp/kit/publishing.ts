import type { HandlerOptions, McpServerOptions } from 'parley-mcp/server';
import { afterEach } from 'vitest';
import { type InProcess, startServer } from './in-process.ts';
import { pickSeat } from './page-tab.ts';

/** A page asks for what is new: on a busy machine that takes a while. */
export const PATIENT = { timeout: 60_000 };

/** A server of each test that publishes pages at its own address; it is closed after the test. */
export interface Publishing {
  /** Where it publishes; nothing before it is started. */
  readonly at: () => string | undefined;
  /** The one that was started last. */
  current(): InProcess | undefined;
  /** Starts it, with `pick_seat` as its tool where no others are given. */
  start(handler?: HandlerOptions, options?: Partial<McpServerOptions>): Promise<InProcess>;
}

/** To be called once in a file of tests. */
export function usePublishing(): Publishing {
  let running: InProcess | undefined;
  const at = () => (running ? new URL(running.url).origin : undefined);
  afterEach(async () => {
    await running?.close();
    running = undefined;
  });
  return {
    at,
    current: () => running,
    async start(handler = {}, options = {}) {
      running = await startServer({ tools: [pickSeat], ...options }, { publish: { at }, ...handler });
      return running;
    },
  };
}
