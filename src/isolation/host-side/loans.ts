import { type Operation, suspend } from 'effection';
import {
  type DiagnosticsAbility,
  DiagnosticsContext,
  type EditsAbility,
  EditsContext,
  type GitAbility,
  type GitChange,
  GitContext,
  type GitRepository,
  type TextEdit,
} from '../../core/editor.ts';
import type { JsonValue } from '../../core/messages/json.ts';
import { toJson } from '../../runtime/data/json-data.ts';
import type { AbilityName, LoanName } from '../wire/abilities.ts';
import type { MethodParams } from '../wire/contract.ts';
import type { SessionMethods } from '../wire/methods/session-methods.ts';
import type { RealmPeer } from '../wire/peers.ts';

/** What the editor lends where a call was made. */
export interface Lender {
  readonly names: readonly AbilityName[];
  /** @throws for what is not lent, and whatever the ability throws. */
  lend(loan: MethodParams<SessionMethods, 'borrow'>, there: RealmPeer): Operation<JsonValue | undefined>;
}

type Lending = { readonly [Name in LoanName]?: (...args: never[]) => Operation<unknown> };

/** The abilities in force where this runs. */
export function* lenderHere(): Operation<Lender> {
  const diagnostics = yield* DiagnosticsContext.get();
  const edits = yield* EditsContext.get();
  const git = yield* GitContext.get();
  const lending: Lending = {
    ...(diagnostics && lendDiagnostics(diagnostics)),
    ...(edits && lendEdits(edits)),
    ...(git && lendGit(git)),
  };
  return {
    names: [
      ...(diagnostics ? (['diagnostics'] as const) : []),
      ...(edits ? (['edits'] as const) : []),
      ...(git ? (['git'] as const) : []),
    ],
    *lend({ what, args }, there) {
      const method = Object.hasOwn(lending, what) ? lending[what as LoanName] : undefined;
      if (!method) throw new Error(`the editor lends no '${what}'`);
      // The types of the arguments are the author's promise to the ability, here as in one realm.
      const json = toJson(yield* method(...(args.map((arg) => arg ?? undefined) as never[])));
      if (!json.ok) throw new Error(`${what} gave what is not JSON: ${json.problem}`);
      if (what === 'edits.preview') {
        there.tell('lent', undefined);
        yield* suspend();
      }
      return json.value;
    },
  };
}

function lendDiagnostics(ability: DiagnosticsAbility): Lending {
  return { 'diagnostics.list': (uri: string | undefined) => ability.list(uri) };
}

function lendEdits(ability: EditsAbility): Lending {
  return {
    'edits.folders': () => ability.folders(),
    'edits.read': (...args: Parameters<EditsAbility['read']>) => ability.read(...args),
    'edits.preview': (...args: Parameters<EditsAbility['preview']>) => ability.preview(...args),
    'edits.apply': (
      label: string,
      edits: readonly TextEdit[],
      seen?: ReadonlyArray<readonly [uri: string, text: string]>,
    ) => ability.apply(label, edits, seen && new Map(seen)),
  };
}

function lendGit(ability: GitAbility): Lending {
  function* at(root: string): Operation<GitRepository> {
    const found = (yield* ability.repositories()).find((repository) => repository.root === root);
    if (!found) throw new Error(`there is no repository ${root} any more`);
    return found;
  }
  return {
    *'git.repositories'() {
      return (yield* ability.repositories()).map(({ root }) => root);
    },
    *'git.branch'(root: string) {
      return yield* (yield* at(root)).branch();
    },
    *'git.head'(root: string) {
      return yield* (yield* at(root)).head();
    },
    *'git.changes'(root: string) {
      return yield* (yield* at(root)).changes();
    },
    *'git.diff'(root: string, options: Parameters<GitRepository['diff']>[0]) {
      return yield* (yield* at(root)).diff(options);
    },
    *'git.stage'(root: string, paths: readonly string[]) {
      yield* (yield* at(root)).stage(paths);
    },
    *'git.unstage'(root: string, paths: readonly string[]) {
      yield* (yield* at(root)).unstage(paths);
    },
    *'git.commit'(root: string, message: string, changes?: readonly GitChange[]) {
      return yield* (yield* at(root)).commit(message, changes);
    },
  };
}
