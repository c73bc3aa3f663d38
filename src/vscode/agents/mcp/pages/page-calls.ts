import type { Memento } from 'vscode';

/** Which call is behind a page of a conversation, also when its window has been loaded again. */
export interface PageCalls {
  /** The id of the call that the chat calls so. */
  get(hostCall: string): string | undefined;
  add(hostCall: string, callId: string): void;
}

const stateKey = 'parley.pageCalls';

/** Pages that are remembered; older ones say that they are not connected any more. */
const MOST = 300;

/** Characters of what a chat may call a call: what is longer is remembered nowhere. */
const LONGEST = 300;

/** Keeps it in the workspace's state: as pairs, the oldest first. */
export function createPageCalls(state: Memento): PageCalls {
  const read = () => textPairsIn(state.get(stateKey));
  return {
    get: (hostCall) => read().findLast(([name]) => name === hostCall)?.[1],
    add(hostCall, callId) {
      if (hostCall.length > LONGEST) return;
      const known = read();
      if (known.some(([name, id]) => name === hostCall && id === callId)) return;
      void state.update(stateKey, [...known, [hostCall, callId]].slice(-MOST));
    },
  };
}

/** The pairs of texts in what was kept as a list of them; what is none is left out. */
function textPairsIn(kept: unknown): [string, string][] {
  return Array.isArray(kept) ? kept.filter(isTextPair) : [];
}

function isTextPair(value: unknown): value is [string, string] {
  return Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === 'string');
}
