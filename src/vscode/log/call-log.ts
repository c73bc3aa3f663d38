import { isEnd, type SessionEvent } from '../../runtime/session/events.ts';
import type { Session } from '../../runtime/session/session.ts';
import { callMask } from './call-mask.ts';
import type { Log } from './log.ts';

/**
 * Makes what takes the events of a call, in their order, and writes its lines to the output channel, without secrets: the channel is
 * a file, too, which people send to each other.
 */
export function callLog(
  log: Pick<Log, 'call'>,
  { toolName, params }: Pick<Session, 'toolName' | 'params'>,
): (event: SessionEvent) => void {
  const maskAt = callMask(params);
  return (event) => {
    // Nothing is said after the end, and much goes on without a word of anybody.
    if (isEnd(event) || event.type === 'progress') return;
    const mask = maskAt(event);
    if (event.type !== 'log') return;
    log.call(toolName, event.level, mask(event.message), mask(event.data));
  };
}
