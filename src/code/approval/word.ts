import type { AnyTool } from '../../core/tool/tool.ts';

/** A call that changes something, and waits for approval. */
export interface AskedCall {
  readonly id: number;
  readonly tool: AnyTool;
  /** JSON, as the code gave them. */
  readonly args: unknown;
  /** What the policy says that the word is about: a tool that has changed since is another one. */
  readonly about?: string | undefined;
}

/** The word about one call. */
export type CallDecision =
  | { readonly kind: 'runs'; readonly args: unknown; readonly edited: boolean }
  | { readonly kind: 'refused'; readonly why?: string };

/** The word about some calls. */
export interface ApprovalWord {
  /** By the calls' ids; a call that is not there is refused. */
  readonly decisions: ReadonlyMap<number, CallDecision>;
  /** So many more calls of the same tool may run without being asked about. */
  readonly rest: number;
}

/** Declined: none of them runs, and the code goes on. Cancelled: the code ends. */
export function calledOff(action: 'decline' | 'cancel'): ApprovalWord | undefined {
  return action === 'decline' ? { decisions: new Map(), rest: 0 } : undefined;
}
