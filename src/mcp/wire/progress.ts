import type { ProgressToken } from './meta.ts';

/** Parameters of `notifications/progress`. Source: MCP "Progress". */
export interface ProgressParams {
  readonly progressToken: ProgressToken;
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** What there is to report: a message, and how far it is where that is known. */
export interface ProgressReport {
  readonly message?: string;
  readonly value?: number;
  readonly total?: number;
}

/**
 * Turns reports into `notifications/progress` whose number always rises, as the protocol demands: a report without a
 * number, or with one that fell, moves the bar by next to nothing. A heartbeat is a report without a number.
 */
export function createProgressEncoder(token: ProgressToken): (report: ProgressReport) => ProgressParams {
  let last: number | undefined;
  let total: number | undefined;
  let counting = true;

  function rise(): number {
    if (last === undefined) return 0;
    // Counts up while nobody has named a number; then stays within the first millionth of what is left to report.
    return counting ? last + 1 : last + Math.max(Math.abs(total ?? last), 1) * 1e-6;
  }

  return ({ message, value, total: of }) => {
    if (value !== undefined && Number.isFinite(value)) {
      // Numbers that were only counted say nothing about how far the tool is.
      if (counting && last !== undefined && value <= last) value = rise();
      counting = false;
      total = of ?? total;
      last = last === undefined || value > last ? value : rise();
    } else {
      last = rise();
    }
    return {
      progressToken: token,
      progress: last,
      ...(total !== undefined && last <= total ? { total } : {}),
      ...(message ? { message } : {}),
    };
  };
}
