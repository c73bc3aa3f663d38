import { action, ensure, type Operation } from 'effection';
import type { ServerEntry, Servers } from '#src/mcp/client/index.ts';
import type { ConnectedServers } from '#src/vscode/agents/mcp/offers/gateway-offers.ts';
import { useOwnEdge } from '#src/vscode/contexts.ts';
import { ServerUnit, type UnitParts } from '#src/vscode/servers/server-unit.ts';

/** Servers of a window, each as the window keeps it. */
export interface Units extends ConnectedServers {
  of(name: string): Servers | undefined;
  /** Starts one, in the place of what it was; its log is in `logs`. Ended with the caller. */
  start(entry: ServerEntry, registry: UnitParts['registry']): Operation<ServerUnit>;
  /** Waits until this holds. */
  until(holds: () => boolean): Operation<void>;
  /** What each server has said, and what was said about it. */
  readonly logs: ReadonlyMap<string, readonly string[]>;
}

/** None yet. */
export function createUnits(): Units {
  const units = new Map<string, ServerUnit>();
  const logs = new Map<string, string[]>();
  const listeners = new Set<() => void>();
  const changed = () => {
    for (const listener of [...listeners]) listener();
  };
  const subscribe = (listener: () => void) => {
    const own = () => listener();
    listeners.add(own);
    return () => void listeners.delete(own);
  };
  return {
    logs,
    subscribe,
    of: (name) => units.get(name)?.servers,
    until: (holds) =>
      action((resolve) => {
        const look = () => holds() && resolve();
        look();
        return subscribe(look);
      }),
    *start(entry, registry) {
      const found = {
        name: entry.name,
        place: 'setting',
        owner: 'w',
        folder: '/w',
        file: undefined,
        inputs: [],
        written: undefined,
      } as const;
      const unit = new ServerUnit(found, {
        registry,
        edge: yield* useOwnEdge(),
        version: '1.0.0',
        changed,
        roots: () => [],
        *login() {
          throw new Error('these are not logged in at');
        },
        log(name) {
          const lines: string[] = [];
          logs.set(name, lines);
          return {
            write(_level, message) {
              lines.push(message);
              changed();
            },
            trace() {},
            show() {},
            dispose() {},
          };
        },
      });
      units.set(entry.name, unit);
      yield* ensure(() => unit.close());
      yield* unit.start(entry);
      return unit;
    },
  };
}
