import { action, type Operation, race } from 'effection';
import * as vscode from 'vscode';
import { isParleyError, type ParleyError } from '../../../core/errors/errors.ts';
import type { JsonObject } from '../../../core/messages/json.ts';
import { defined } from '../../../core/schema/defined.ts';
import type { AnyTool } from '../../../core/tool/tool.ts';
import type { CallEntry } from '../call-entry.ts';
import type { CallPanel } from '../panel/call-panel.ts';
import { shownParameters } from '../shipped/shipped-questions.ts';

/** The form before anybody has touched it. */
export interface FirstForm {
  readonly values: JsonObject | undefined;
  /** What the person should know before they run the tool. */
  readonly notice: string | undefined;
  /** The tool runs under the debugger. */
  readonly debugged: boolean | undefined;
}

/**
 * Asks for parameters in the panel, with the form that elicitations use, until `start` takes them. What the tool's own
 * schema says about them is shown and asked again. Nothing comes back when the person closes the panel.
 */
export function* askParameters<T>(
  entry: CallEntry,
  tool: AnyTool,
  { values: suggested, notice, debugged }: FirstForm,
  start: (params: JsonObject) => Operation<T>,
): Operation<T | undefined> {
  const { panel } = entry;
  const formId = `parameters:${entry.id}`;
  let values = suggested;
  let problem: string | undefined;
  for (let attempt = 1; ; attempt++) {
    panel.store.dispatch({
      type: 'parameters',
      form: {
        formId,
        schema: shownParameters(tool, vscode.l10n.t),
        attempt,
        ...(values ? { values } : {}),
        ...defined({ problem, notice, debugged }),
      },
    });
    const given = yield* race([panel.inbox.parameters(formId), closed(panel)]);
    if (given === undefined) return undefined;
    try {
      return yield* start(given);
    } catch (error) {
      if (!isParleyError(error, 'PARAMS_INVALID')) throw error;
      problem = fieldsProblem(error);
      values = given;
    }
  }
}

/** What is wrong with the fields, without the sentence around it. */
export function fieldsProblem(error: Pick<ParleyError, 'message' | 'details'>): string {
  const problem = error.details?.problem;
  return typeof problem === 'string' ? problem : error.message;
}

function closed(panel: CallPanel): Operation<undefined> {
  return action((resolve) => {
    const look = () => {
      if (panel.closedByPerson) resolve(undefined);
    };
    const stop = panel.subscribe(look);
    look();
    return stop;
  });
}
