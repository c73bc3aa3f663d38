import type { CallName } from './call-store.ts';

/** One text for one name: no two names share it. */
export function callKey({ principal, conversation, callId }: CallName): string {
  return JSON.stringify([principal, conversation, callId]);
}
