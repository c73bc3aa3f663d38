import type { Operation } from 'effection';
import type { IsolatedTool } from '../../core/errors/isolation-errors.ts';
import type { JsonValue } from '../../core/messages/json.ts';
import type { PluginClientContext } from '../../core/plugin/plugin.ts';
import type { ElicitAnswer } from '../../core/tool/ask.ts';
import { toJson } from '../../runtime/data/json-data.ts';
import type { ElicitAsk } from '../../runtime/session/ask.ts';
import type { RealmPeer } from '../wire/peers.ts';
import { RealmEndedError } from './connection.ts';

/** Runs a handler where the tool is, within its question as it stands; its views appear here. Halting it halts the handler. */
export function* runRemoteHandler(
  asking: RealmPeer,
  tool: IsolatedTool,
  elicit: ElicitAsk,
  panel: PluginClientContext,
): Operation<ElicitAnswer<unknown>> {
  try {
    return yield* asking.call(
      'handle',
      { elicit },
      {
        // A reference stands for a component, here as in the author's file.
        *render({ reference, props }) {
          return jsonOf(yield* panel.render(reference as never, props));
        },
        *show({ reference, props }) {
          yield* panel.show(reference as never, props);
        },
        *busy({ message, progress }) {
          yield* panel.reportProgress(message, progress);
        },
      },
    );
  } catch (error) {
    throw RealmEndedError.for(tool, error);
  }
}

/** What a page responded with is JSON already; a test's stand-in for one may respond with anything. */
function jsonOf(value: unknown): JsonValue | undefined {
  const json = toJson(value);
  if (!json.ok) throw new Error(`the view responded with what is not JSON: ${json.problem}`);
  return json.value;
}
