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

/** Whether a scripted answer stops the call. */
export function isStopCall(value: unknown): value is StopCall {
  return typeof value === 'object' && value !== null && (value as StopCall).kind === 'parley.stop-call';
}
