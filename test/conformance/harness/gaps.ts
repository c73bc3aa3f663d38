/**
 * Scenarios of the official suite that Parley does not pass, and why. A scenario that passes after all, or that the suite no
 * longer has, fails the run, so that this list stays true.
 */
export const gaps: Readonly<Record<string, string>> = {
  'tasks-status-notifications': 'the suite skips it: `test/mcp/task-news.test.ts` has them',
};

/** The same for the scenarios of clients. */
export const clientGaps: Readonly<Record<string, string>> = {};
