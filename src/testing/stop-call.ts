/** A scripted answer that stops the call instead, as the person's Stop does. */
export interface StopCall {
  readonly kind: 'parley.stop-call';
  readonly reason: string;
}

/**
 * In the place of an answer: the call is stopped while it waits for this one, and `runMcpTool` throws `CallAbortedError`.
 *
 * @example
 * const client = createMockMcpClient({ elicitResponses: [stopCall()] });
 * await expect(runMcpTool(importJob, {}, client)).rejects.toThrow(CallAbortedError);
 * expect(released).toBe(true);
 */
export function stopCall(reason = 'the test stopped it'): StopCall {
  return { kind: 'parley.stop-call', reason };
}

/** A scripted answer that goes back in the call instead, as the person's Back does. */
export interface GoBack {
  readonly kind: 'parley.go-back';
  readonly key: string;
}

/**
 * In the place of an answer: the person goes back to the last question of this key that was answered. The steps since then are undone, and
 * it is asked again. Throws `RewindRefusedError` in the tool where that cannot be.
 *
 * @example
 * const client = createMockMcpClient({ elicitResponses: { seat: [row(3), row(4)], meal: [goBack('seat'), soup] } });
 */
export function goBack(key: string): GoBack {
  return { kind: 'parley.go-back', key };
}

/** What a script says in the place of an answer. */
export type InsteadOfAnswer = StopCall | GoBack;

/** Whether a scripted answer is none. */
export function isInstead(value: unknown): value is InsteadOfAnswer {
  const kind =
    typeof value === 'object' && value !== null ? (value as Partial<InsteadOfAnswer>).kind : undefined;
  return kind === 'parley.stop-call' || kind === 'parley.go-back';
}
