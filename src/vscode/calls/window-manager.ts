import type { Operation } from 'effection';
import { defined } from '../../core/schema/defined.ts';
import type { KeepJournal } from '../../runtime/journal/sink.ts';
import type { SessionManager } from '../../runtime/manager/manager.ts';
import { createSessionManager } from '../../runtime/manager/session-manager.ts';
import { chatPrincipal } from '../ids.ts';

/** An agent may be elsewhere than its window, and hears of it. */
const CLOSED =
  'the window of VS Code was closed or reloaded. A call that can continue does so there, and the user sees its result';

/**
 * Runs all calls of a window. The person's own calls, and those of their chat, are neither counted nor refused: whatever other
 * callers leave open, _Run Tool…_ works.
 */
export function useWindowManager(keep?: KeepJournal): Operation<SessionManager> {
  return createSessionManager({ own: ['', chatPrincipal], closed: CLOSED, ...defined({ keep }) });
}
