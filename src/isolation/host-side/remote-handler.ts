import { type Operation, type Task, useScope, withResolvers } from 'effection';
import { errorData } from '../../core/errors/error-data.ts';
import { errorFromData } from '../../core/errors/error-from-data.ts';
import type { IsolatedTool } from '../../core/errors/isolation-errors.ts';
import type { JsonValue } from '../../core/messages/json.ts';
import type { AnyElicitHandler } from '../../core/plugin/plugin.ts';
import type { ElicitAnswer } from '../../core/tool/ask.ts';
import { toJson } from '../../runtime/data/json-data.ts';
import type { ElicitAsk } from '../../runtime/session/ask.ts';
import type { ReportOf } from '../wire/reports.ts';
import type { Connection, HandlingReport } from './connection.ts';

/** What a handler in another realm needs. */
export interface RemoteHandlerOptions {
  readonly connection: Connection;
  readonly tool: IsolatedTool;
  /** The numbers of the call and of its question. */
  readonly call: number;
  readonly ask: number;
  readonly handling: number;
  /** The question as it stands. */
  readonly elicit: ElicitAsk;
}

type HandlerPanel = Parameters<AnyElicitHandler>[1];

/** Runs a handler where the tool is; its views appear here. Halting it halts the handler. */
export function* runRemoteHandler(
  { connection, tool, call, ask, handling, elicit }: RemoteHandlerOptions,
  panel: HandlerPanel,
): Operation<ElicitAnswer<unknown>> {
  const scope = yield* useScope();
  const outcome = withResolvers<ElicitAnswer<unknown>>('answer of a handler');
  const views = new Map<number, Task<void>>();

  const draw = ({ view, reference, props, waits }: ReportOf<'render'>): void => {
    const task = scope.run(function* () {
      try {
        // The reference stands for a component, here as in the author's file.
        const shown = reference as never;
        const value = waits ? yield* panel.render(shown, props) : yield* panel.show(shown, props);
        connection.send({ type: 'viewAnswered', handling, view, ...jsonOf(value) });
      } catch (error) {
        connection.send({ type: 'viewFailed', handling, view, error: errorData(error) });
      }
    });
    task.catch(() => {});
    views.set(view, task);
  };

  const take = (report: HandlingReport): void => {
    switch (report.type) {
      case 'render':
        draw(report);
        break;
      case 'unrender':
        views
          .get(report.view)
          ?.halt()
          .catch(() => {});
        return;
      case 'busy':
        scope.run(() => panel.reportProgress(report.message, progressOf(report))).catch(() => {});
        return;
      case 'handled':
        outcome.resolve(report.answer);
        break;
      case 'unhandled':
        outcome.reject(errorFromData(report.error));
        break;
    }
  };

  const stop = connection.listenToHandling(handling, {
    take,
    ended: (why) => outcome.reject(why(tool)),
  });
  try {
    connection.send({ type: 'handle', call, ask, handling, elicit });
    return yield* outcome.operation;
  } finally {
    stop();
    connection.send({ type: 'unhandle', handling });
  }
}

function progressOf({ progress }: ReportOf<'busy'>) {
  if (progress === undefined || typeof progress === 'number') return progress;
  const { value, total } = progress;
  return total === undefined ? { value } : { value, total };
}

/** What a page responded with is JSON already; a test's stand-in for one may respond with anything. */
function jsonOf(value: unknown): { value?: JsonValue } {
  const json = toJson(value);
  if (!json.ok) throw new Error(`the view responded with what is not JSON: ${json.problem}`);
  return json.value === undefined ? {} : { value: json.value };
}
