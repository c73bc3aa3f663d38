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
  /** Says only that the call lives, and nothing of the tool's. */
  readonly beat?: true;
}

/**
 * Turns reports into `notifications/progress` whose number always rises, as the protocol demands: a report without a
 * number, or with one that fell, moves the bar by next to nothing. A heartbeat does no more than that, whatever comes after it.
 */
export function createProgressEncoder(token: ProgressToken): (report: ProgressReport) => ProgressParams {
  let last: number | undefined;
  let total: number | undefined;
  let counted = false;
  let named = false;

  return ({ message, value, total: of, beat }) => {
    const names = value !== undefined && Number.isFinite(value);
    if (names) total = of ?? total;
    else if (!beat) counted = true;
    // Counts up a tool's reports while it has named no number: those say nothing about how far it is.
    const step = counted && !named && !beat ? 1 : Math.max(Math.abs(total ?? last ?? 0), 1) * 1e-6;
    if (names && (last === undefined || value > last)) last = value;
    else last = last === undefined ? 0 : last + step;
    named ||= names;
    return {
      progressToken: token,
      progress: last,
      ...(total !== undefined && last <= total ? { total } : {}),
      ...(message ? { message } : {}),
    };
  };
}
