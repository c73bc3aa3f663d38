import { ensure, type Operation, type Result, type Scope, withResolvers } from 'effection';
import {
  DiagnosticsContext,
  EditsContext,
  type GitAbility,
  GitContext,
  type GitRepository,
} from '../../core/editor.ts';
import type { JsonValue } from '../../core/messages/json.ts';
import { toJson } from '../../runtime/data/json-data.ts';
import type { AbilityName, LoanName } from '../wire/abilities.ts';
import type { SessionPeer } from '../wire/peers.ts';

/** Puts in stand-ins for what the editor lends. */
export function borrowedEditor(session: SessionPeer, abilities: readonly string[]): (into: Scope) => void {
  const lends = (name: AbilityName) => abilities.includes(name);
  // What came was JSON of what the ability gave, on the other side.
  function* ask<T>(what: LoanName, ...args: unknown[]): Operation<T> {
    return (yield* session.call('borrow', loanOf(what, args))) as T;
  }

  return (into) => {
    if (lends('diagnostics')) into.set(DiagnosticsContext, { list: (uri) => ask('diagnostics.list', uri) });
    if (lends('edits')) {
      into.set(EditsContext, {
        folders: () => ask('edits.folders'),
        read: (uri) => ask('edits.read', uri),
        // A preview closes with the scope that asked.
        *preview(title, edits) {
          const shown = withResolvers<void>('a preview');
          const failed = (outcome: Result<unknown>) => outcome.ok || shown.reject(outcome.error);
          const handlers = { lent: () => shown.resolve() };
          const made = session.request('borrow', loanOf('edits.preview', [title, edits]), failed, {
            handlers,
          });
          yield* ensure(() => made.cancel());
          yield* shown.operation;
        },
        // A map is no JSON.
        apply: (label, edits, seen) => ask('edits.apply', label, edits, ...(seen ? [[...seen]] : [])),
      });
    }
    if (lends('git')) into.set(GitContext, gitOf(ask));
  };
}

function gitOf(ask: <T>(what: LoanName, ...args: unknown[]) => Operation<T>): GitAbility {
  const repository = (root: string): GitRepository => ({
    root,
    branch: () => ask('git.branch', root),
    head: () => ask('git.head', root),
    changes: () => ask('git.changes', root),
    diff: (options) => ask('git.diff', root, options),
    stage: (paths) => ask('git.stage', root, paths),
    unstage: (paths) => ask('git.unstage', root, paths),
    commit: (message, changes) => ask('git.commit', root, message, ...(changes ? [changes] : [])),
  });
  return {
    *repositories() {
      const roots = yield* ask<readonly string[]>('git.repositories');
      return roots.map(repository);
    },
  };
}

function loanOf(what: LoanName, args: readonly unknown[]) {
  const json = toJson(args);
  if (!json.ok) throw new Error(`${what} takes JSON: ${json.problem}`);
  return { what, args: (json.value ?? []) as JsonValue[] };
}
