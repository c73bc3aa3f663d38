import { type Operation, withResolvers } from 'effection';
import type { ToolRegistry } from '../../workspace/registry/registry.ts';

/** The tools of this window, and whether more of them are on their way. */
export interface ToolPort {
  readonly registry: ToolRegistry;
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
  const tell = () => {
    for (const listener of [...listeners]) listener();
  };
  idle.resolve();
  return {
    registry,
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
