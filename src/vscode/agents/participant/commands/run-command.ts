import type { JsonObject } from '../../../../core/messages/json.ts';

/** What `/run` was given. */
export interface RunCommand {
  /** Empty when no tool was named. One of a server is `server/tool`. */
  readonly tool: string;
  /** Parameters as JSON. */
  readonly params?: JsonObject;
  /** Anything else: for the model to make parameters of. */
  readonly wish?: string;
}

/** Reads the text behind `/run`: `book_flight`, `github/create_issue {"title":"x"}` or `book_flight to Lisbon tomorrow`. */
export function parseRunCommand(prompt: string): RunCommand {
  const [, tool = '', rest = ''] = /^\s*#?((?:[\w.-]+\/)?(?:[\w.-]*[\w-])?)\s*(.*)$/s.exec(prompt) ?? [];
  if (rest === '') return { tool };
  try {
    const value: unknown = JSON.parse(rest);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return { tool, params: value as JsonObject };
    }
  } catch {
    // Words, then.
  }
  return { tool, wish: rest };
}
