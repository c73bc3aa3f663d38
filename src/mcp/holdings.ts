import type { Session, SessionStatus } from '../runtime/session/session.ts';

/** The calls of one principal that have not ended. */
export interface Holding {
  readonly principal: string;
  /** How many there are in each status; statuses without a call are left out. */
  readonly calls: Readonly<Partial<Record<SessionStatus, number>>>;
  /** When the oldest of them began, milliseconds since the epoch. */
  readonly oldest: number;
}

/** Counts calls by principal, whoever has most first. */
export function countCalls(sessions: readonly Session[]): readonly Holding[] {
  const byPrincipal = Map.groupBy(sessions, ({ principal }) => principal);
  return [...byPrincipal]
    .sort(([, some], [, others]) => others.length - some.length)
    .map(([principal, calls]) => {
      const byStatus = Map.groupBy(calls, (session) => session.status());
      return {
        principal,
        calls: Object.fromEntries([...byStatus].map(([status, { length }]) => [status, length])),
        oldest: Math.min(...calls.map(({ startedAt }) => startedAt)),
      };
    });
}
