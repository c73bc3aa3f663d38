import { randomBytes, randomUUID } from 'node:crypto';
import { type Operation, until } from 'effection';
import type { SecretStorage } from 'vscode';
import { newToken } from '../../../mcp/http/token.ts';
import { fromThenable, useListener } from '../../bridge.ts';
import { useOwnEdge } from '../../contexts.ts';
import type { KeptState } from './kept-state.ts';

/** What a client was given with its configuration: a token of its own, and a name to know it by. */
export interface Grant {
  /** Unique for ever: calls of one that was taken back are out of reach of the next of that name. */
  readonly id: string;
  readonly name: string;
  readonly token: string;
}

/** What clients of this workspace come with, and the port they find it at. Both outlive the window. */
export interface Access {
  /** The port of last time. */
  port(): number | undefined;
  savePort(port: number): Operation<void>;
  /** What windows of this workspace know each other by, once any client was given something. */
  proof(): string | undefined;
  grants(): readonly Grant[];
  /** A token for one more client, named after what it is. @throws when there are too many */
  grant(label: string): Operation<Grant>;
  /** From now on that token is worth nothing; without an id none of them is. */
  revoke(id?: string): Operation<void>;
}

interface Kept {
  readonly proof: string;
  readonly grants: readonly Grant[];
}

const keys = { workspace: 'parley.mcp.workspace', port: 'parley.mcp.port' };

/** Clients that may have a token at once. */
const mostGrants = 50;

/**
 * A resource: what is kept, as it is now, also when another window of the workspace changes it. Secrets are one store for
 * all workspaces, so each workspace has a name in it.
 */
export function* useAccess(state: KeptState, secrets: SecretStorage): Operation<Access> {
  const known = state.get(keys.workspace);
  let workspace = typeof known === 'string' ? known : undefined;
  let kept: Kept | undefined;
  let last: Promise<unknown> = Promise.resolve();

  async function read(): Promise<void> {
    if (workspace !== undefined) kept = parse(await secrets.get(secretOf(workspace)));
  }

  /** On what is there now: another window may have written since. One after the other, or one would write over what the other did. */
  function* change(next: (grants: readonly Grant[]) => readonly Grant[]): Operation<void> {
    const mine = last.then(async () => {
      if (workspace === undefined) {
        workspace = randomUUID();
        await state.update(keys.workspace, workspace);
      }
      await read();
      const changed = { proof: kept?.proof ?? newToken(), grants: next(kept?.grants ?? []) };
      kept = changed;
      await secrets.store(secretOf(workspace), JSON.stringify(changed));
    });
    last = mine.catch(() => {});
    yield* until(mine);
  }

  yield* until(read());
  const edge = yield* useOwnEdge();
  yield* useListener(secrets.onDidChange, ({ key }) => {
    if (workspace !== undefined && key === secretOf(workspace))
      edge.fork('reading MCP tokens', () => until(read()));
  });

  return {
    port() {
      const port = state.get(keys.port);
      return typeof port === 'number' ? port : undefined;
    },
    *savePort(port) {
      yield* fromThenable(state.update(keys.port, port));
    },
    proof: () => kept?.proof,
    grants: () => kept?.grants ?? [],
    *grant(label) {
      const grant = (name: string) => ({ id: randomBytes(6).toString('base64url'), name, token: newToken() });
      let made: Grant | undefined;
      yield* change((grants) => {
        if (grants.length >= mostGrants) return grants;
        made = grant(freeName(label, new Set(grants.map(({ name }) => name))));
        return [...grants, made];
      });
      if (!made) throw new Error(`${mostGrants} clients have a token: shut some out first.`);
      return made;
    },
    *revoke(id) {
      yield* change((grants) => (id === undefined ? [] : grants.filter((grant) => grant.id !== id)));
    },
  };
}

/** Whether a client outside may know this workspace, without reading any secret. */
export function isShared(state: KeptState): boolean {
  return state.get(keys.workspace) !== undefined;
}

function secretOf(workspace: string): string {
  return `parley.mcp.token.${workspace}`;
}

/** `Cursor`, `Cursor 2`, and so on. */
function freeName(label: string, taken: ReadonlySet<string>): string {
  let name = label;
  for (let number = 2; taken.has(name); number++) name = `${label} ${number}`;
  return name;
}

/** What is kept, unless an older Parley wrote it. */
function parse(text: string | undefined): Kept | undefined {
  try {
    const value = JSON.parse(text ?? '') as Partial<Kept>;
    return typeof value.proof === 'string' && Array.isArray(value.grants) ? (value as Kept) : undefined;
  } catch {
    return undefined;
  }
}
