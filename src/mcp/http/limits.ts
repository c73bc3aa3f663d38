/** What one HTTP endpoint accepts. Sizes in bytes, times in milliseconds. */
export interface HttpLimits {
  /**
   * Longest request body: 1 MiB by default. It also bounds what a body may hold: one value for each 32 bytes of this,
   * since many small values cost more time than their size says.
   */
  readonly maxBody: number;
  /** How long a body may take to arrive: 30 s by default. */
  readonly bodyTimeout: number;
  /** Most 2025-era sessions at once: 1,000 by default. Idle ones make room for new ones. */
  readonly maxSessions: number;
  /** How long a 2025-era session may idle: an hour by default. Many clients never say that they leave. */
  readonly sessionTtl: number;
  /** How long a call outlives the connection it was made on, so that its client can resume: a minute by default. */
  readonly resumeGrace: number;
  /** Most bytes kept of one session for clients that resume: 1 MiB by default. */
  readonly maxReplay: number;
  /** Most bytes that may wait for a client who does not read: 4 MiB by default; then its connection is dropped. */
  readonly maxUnread: number;
  /** Most bytes that may wait for all clients together: 256 MiB by default; then who has most loses connections. */
  readonly maxUnreadInAll: number;
  /** An answer that comes within this time goes out as plain JSON: 25 ms by default. A stream costs more than most tools. */
  readonly streamAfter: number;
  /** Most `subscriptions/listen` streams of the 2026 era: 256 by default. */
  readonly maxSubscriptions: number;
  /** Principals of the 2026 era who are remembered while nothing of theirs is open: 10,000 by default. */
  readonly maxPrincipals: number;
}

/** The limits that hold unless others are given. */
export const HTTP_LIMITS: HttpLimits = {
  maxBody: 1024 * 1024,
  bodyTimeout: 30_000,
  maxSessions: 1000,
  sessionTtl: 60 * 60_000,
  resumeGrace: 60_000,
  maxReplay: 1024 * 1024,
  maxUnread: 4 * 1024 * 1024,
  maxUnreadInAll: 256 * 1024 * 1024,
  streamAfter: 25,
  maxSubscriptions: 256,
  maxPrincipals: 10_000,
};
