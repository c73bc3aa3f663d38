import { createScope, type Scope, suspend } from 'effection';
import type { ManagerOptions, SessionManager } from '#src/runtime/manager/manager.ts';
import { createSessionManager } from '#src/runtime/manager/session-manager.ts';

/** A manager in a scope of its own. */
export async function managerScope(
  options?: ManagerOptions,
): Promise<{ readonly manager: SessionManager; readonly scope: Scope; close(): Promise<void> }> {
  const [scope, destroy] = createScope();
  const manager = await new Promise<SessionManager>((resolve, reject) => {
    scope
      .run(function* () {
        resolve(yield* createSessionManager(options));
        yield* suspend();
      })
      // Halted when the scope is closed.
      .catch(reject);
  });
  return { manager, scope, close: async () => destroy() };
}
