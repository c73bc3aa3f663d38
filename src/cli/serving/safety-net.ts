import { ensure, type Operation } from 'effection';
import { say } from '../terminal-text.ts';

/**
 * Keeps the server going, for as long as the caller lives, when code throws where nobody can catch it: in a timer, or in a
 * promise that nobody waits for. Whatever does that is one tool; the calls of all others go on.
 */
export function* useSafetyNet(): Operation<void> {
  const log = (error: unknown, origin: NodeJS.UncaughtExceptionOrigin) => {
    const what = origin === 'unhandledRejection' ? 'a promise was rejected' : 'an error was thrown';
    say(`${what} and not handled. The server continues:`, error);
  };
  // Rejections come here, too.
  process.on('uncaughtException', log);
  yield* ensure(() => void process.off('uncaughtException', log));
}
