import { ensure, type Operation, scoped } from 'effection';
import type { JsonObject } from '../../../core/messages/json.ts';
import type { AnyPlugin } from '../../../core/plugin/plugin.ts';
import { stopReasons } from '../../../panel-port/index.ts';
import type { EndEvent } from '../../../runtime/session/events.ts';
import type { Asker } from '../asker.ts';
import type { CallDesk } from '../desk.ts';
import { editorCapabilities } from '../editor/editor-capabilities.ts';

/** A call that was not started by the person at the keyboard. */
export interface OthersRequest {
  readonly plugin: AnyPlugin;
  readonly params: JsonObject;
  readonly asker: Asker;
}

/**
 * Runs a call to its end, answered in the editor: its panel opens with the first question, beside, without the keyboard.
 * Halting this aborts the call. @throws `ParamsInvalidError` before any of the tool's code.
 */
export function* runForOthers(
  desk: CallDesk,
  { plugin, params, asker }: OthersRequest,
): Operation<{ readonly id: string; readonly end: EndEvent }> {
  return yield* scoped(function* () {
    const session = yield* desk.manager.create({ tool: plugin, params, capabilities: editorCapabilities });
    yield* ensure(function* () {
      if (!session.ended())
        yield* session.abort(asker.kind === 'agent' ? stopReasons.byAgent : stopReasons.byCaller);
    });
    const end = yield* desk.attend(session, desk.adopt(session, asker));
    return { id: session.id, end };
  });
}
