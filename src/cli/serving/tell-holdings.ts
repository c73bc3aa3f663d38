import { ensure, type Operation } from 'effection';
import type { Holding, McpServer } from '../../mcp/index.ts';
import { say } from '../terminal-text.ts';

/** As many principals are named; the others are counted. */
const NAMED = 20;

/** SIGUSR2 makes the server say on stderr what it holds, for as long as the caller lives. */
export function* useHoldingsOnSignal(server: McpServer): Operation<void> {
  const tell = () => {
    server.holdings().then(
      (holdings) => {
        for (const line of holdingLines(holdings, Date.now(), process.memoryUsage().rss))
          say(line, undefined, 'info');
      },
      (cause: unknown) => say('the calls of the server could not be counted', cause),
    );
  };
  process.on('SIGUSR2', tell);
  yield* ensure(() => void process.off('SIGUSR2', tell));
}

/** What it says: a line of sums, then one for each principal. `now` and the start of calls are milliseconds, `memory` bytes. */
export function holdingLines(holdings: readonly Holding[], now: number, memory: number): readonly string[] {
  const all = holdings.reduce((sum, { calls }) => sum + sumOf(calls), 0);
  const more = holdings.length - NAMED;
  return [
    `calls: ${all}, principals: ${holdings.length}, memory: ${Math.round(memory / 2 ** 20)} MB`,
    ...holdings.slice(0, NAMED).map(({ principal, calls, oldest }) => {
      const parts = Object.entries(calls).map(([status, count]) => `${count} ${status}`);
      const seconds = Math.round((now - oldest) / 1000);
      return `  ${principal || '(no name)'}: ${parts.join(', ')}; the oldest began ${seconds} s ago`;
    }),
    ...(more > 0 ? [`  and ${more} more principals`] : []),
  ];
}

function sumOf(calls: Holding['calls']): number {
  return Object.values(calls).reduce((sum, count) => sum + count, 0);
}
