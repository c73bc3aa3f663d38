import { maskOf, textsOfSecrets } from '../../core/messages/mask-secrets.ts';
import { isEnd, type SessionEvent } from '../../runtime/session/events.ts';
import type { Session } from '../../runtime/session/session.ts';
import { ifJson } from '../history/if-json.ts';
import type { Log } from './log.ts';

/**
 * Makes what takes the events of a call, in their order, and writes its lines to the output channel: without the secrets that the call
 * was given, that it was answered, or that are in the line itself. The channel is a file, too, which people send to each other.
 */
export function callLog(
  log: Pick<Log, 'call'>,
  { toolName, params }: Pick<Session, 'toolName' | 'params'>,
): (event: SessionEvent) => void {
  const known = new Set(textsOfSecrets(ifJson(params)));
  return (event) => {
    // Nothing is said after the end, and much goes on without a word of anybody.
    if (isEnd(event) || event.type === 'progress') return;
    for (const text of textsOfSecrets(ifJson(event))) known.add(text);
    if (event.type !== 'log') return;
    const mask = maskOf(known);
    log.call(toolName, event.level, mask(event.message), mask(event.data));
  };
}
