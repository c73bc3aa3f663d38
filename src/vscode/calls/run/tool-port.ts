import { type Operation, withResolvers } from 'effection';
import type { WorkspaceTools } from '../../../workspace/load/use-workspace-tools.ts';
import type { ToolRegistry } from '../../../workspace/registry/registry.ts';

/** The tools of this window, and whether more of them are on their way. */
export interface ToolPort {
  readonly registry: ToolRegistry;
  /** The folders whose tools are loaded, by the id of their source. */
  readonly folders: Map<string, WorkspaceTools>;
  /** Says that Parley itself has written a tool file for the person. */
  wrote(path: string): void;
  /** Calls back with each of those. Returns what stops it. */
  onWrote(listener: (path: string) => void): () => void;
  loading(): boolean;
  /** Returns when no tools are on their way. */
  loaded(): Operation<void>;
  /** Says that a source begins to load; the function that comes back says that it is done, however it went. */
  begin(): () => void;
  /** Calls back when {@link loading} has changed. Returns what stops it. */
  subscribe(listener: () => void): () => void;
}

/** A port around a registry, with nothing on its way. */
export function createToolPort(registry: ToolRegistry): ToolPort {
  let pending = 0;
  let idle = withResolvers<void>();
  const listeners = new Set<() => void>();
  const readers = new Set<(path: string) => void>();
  const tell = () => {
    for (const listener of [...listeners]) listener();
  };
  idle.resolve();
  return {
    registry,
    folders: new Map(),
    wrote(path) {
      for (const reader of [...readers]) reader(path);
    },
    onWrote(listener) {
      readers.add(listener);
      return () => readers.delete(listener);
    },
    loading: () => pending > 0,
    loaded: () => idle.operation,
    begin() {
      if (pending++ === 0) idle = withResolvers<void>();
      tell();
      let done = false;
      return () => {
        if (done) return;
        done = true;
        if (--pending === 0) idle.resolve();
        tell();
      };
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
