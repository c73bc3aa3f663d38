/** Where a server stands. Each `why` is a sentence or a part of one, in words of the server or of the system. */
export type ServerState =
  /** Nobody has allowed it, or what would be started or reached has changed since. */
  | { readonly kind: 'blocked'; readonly why: 'new' | 'changed' }
  /** What is written about it cannot be used. */
  | { readonly kind: 'broken'; readonly why: string }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'connecting' }
  | { readonly kind: 'ready'; readonly era: '2025' | '2026' }
  /** The person is asked to log in, or was and did not. */
  | { readonly kind: 'loggedOut'; readonly why: string }
  /** It ended or cannot be reached, and is tried again after this many milliseconds. */
  | { readonly kind: 'waiting'; readonly why: string; readonly pause?: number };

/** Where a server is written down. */
export type ServerOrigin = 'file' | 'setting' | 'agent';

/** A server as lists show it. */
export interface ServerRow {
  /** What it is called where it is written; unique in a window. */
  readonly name: string;
  readonly place: ServerOrigin;
  readonly state: ServerState;
  /** It is a program that is started here. */
  readonly local?: boolean;
  /** The person has started it in this window: they want to see what it has. */
  readonly started?: boolean;
}

/** What can be done with the servers of a window. All by name; a name that is not there does nothing. */
export interface ServerKeeper {
  rows(): readonly ServerRow[];
  /** Calls back when a row has changed. Returns what stops it. */
  subscribe(listener: () => void): () => void;
}

/** The servers of this window, before and after what keeps them is loaded. */
export interface ServerBook<K extends ServerKeeper = ServerKeeper> {
  rows(): readonly ServerRow[];
  keeper(): K | undefined;
  /** From here on they are kept. Returns what ends that. */
  keep(keeper: K): () => void;
  subscribe(listener: () => void): () => void;
}

/** A book with nothing in it. */
export function createServerBook<K extends ServerKeeper>(): ServerBook<K> {
  const listeners = new Set<() => void>();
  let kept: K | undefined;
  const tell = () => {
    for (const listener of [...listeners]) listener();
  };
  return {
    rows: () => kept?.rows() ?? [],
    keeper: () => kept,
    keep(keeper) {
      kept = keeper;
      const stop = keeper.subscribe(tell);
      tell();
      return () => {
        stop();
        if (kept === keeper) kept = undefined;
        tell();
      };
    },
    subscribe(listener) {
      const own = () => listener();
      listeners.add(own);
      return () => void listeners.delete(own);
    },
  };
}

/** The id of the source that a server's tools are registered under. */
export function serverSourceId(name: string): string {
  return `server:${name}`;
}
