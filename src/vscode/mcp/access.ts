import { randomUUID } from 'node:crypto';
import type { Operation } from 'effection';
import type { Memento, SecretStorage } from 'vscode';
import { newToken } from '../../mcp/http/token.ts';
import { fromThenable } from '../bridge.ts';

/** The token that external clients of this workspace come with, and the port they find it at. Both outlive the window. */
export interface Access {
  /** The port of last time. */
  port(): number | undefined;
  savePort(port: number): Operation<void>;
  /** The token, if anybody was ever given one. */
  token(): string | undefined;
  /** The token; made now when there is none. */
  share(): Operation<string>;
  /** A new token: the old one is worth nothing from now on. */
  reset(): Operation<string>;
}

const keys = { workspace: 'parley.mcp.workspace', port: 'parley.mcp.port' };

/** Reads what is kept. Secrets are one store for all workspaces, so each workspace has a name in it. */
export function* loadAccess(state: Memento, secrets: SecretStorage): Operation<Access> {
  let workspace = state.get<string>(keys.workspace);
  let token = workspace === undefined ? undefined : yield* fromThenable(secrets.get(secretOf(workspace)));

  function* renew(): Operation<string> {
    if (workspace === undefined) {
      workspace = randomUUID();
      yield* fromThenable(state.update(keys.workspace, workspace));
    }
    const made = newToken();
    yield* fromThenable(secrets.store(secretOf(workspace), made));
    token = made;
    return made;
  }

  return {
    port: () => state.get<number>(keys.port),
    *savePort(port) {
      yield* fromThenable(state.update(keys.port, port));
    },
    token: () => token,
    *share() {
      return token ?? (yield* renew());
    },
    reset: renew,
  };
}

/** Whether a client outside may know this workspace, without reading any secret. */
export function isShared(state: Memento): boolean {
  return state.get(keys.workspace) !== undefined;
}

function secretOf(workspace: string): string {
  return `parley.mcp.token.${workspace}`;
}
