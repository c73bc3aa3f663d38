import type { HttpSession } from './http-session.ts';

type Candidate = Pick<HttpSession, 'principal' | 'busy' | 'serving' | 'lastUsed'>;

/**
 * Which session makes room for a newcomer: one that idles; then one whose client only listens, of whoever has most; then
 * even one that works, of somebody who has more than the newcomer. Among equals, the one used longest ago.
 */
export function sessionToEnd<S extends Candidate>(sessions: readonly S[], newcomer: string): S | undefined {
  const counts = new Map<string, number>();
  for (const { principal } of sessions) counts.set(principal, (counts.get(principal) ?? 0) + 1);
  const most = Math.max(...counts.values());
  const ofMost = sessions.filter(({ principal }) => counts.get(principal) === most);
  return (
    oldest(sessions.filter(({ busy }) => !busy)) ??
    oldest(ofMost.filter(({ serving }) => !serving)) ??
    ((counts.get(newcomer) ?? 0) < most ? oldest(ofMost) : undefined)
  );
}

function oldest<S extends Candidate>(sessions: readonly S[]): S | undefined {
  return sessions.reduce<S | undefined>(
    (first, one) => (first && first.lastUsed <= one.lastUsed ? first : one),
    undefined,
  );
}
