import { ensure, type Operation, scoped } from 'effection';
import { errorFromData } from '../../core/errors/data/error-from-data.ts';
import { toolOf } from '../../core/plugin/offer.ts';
import type { ToolLimits } from '../../core/tool/tool.ts';
import { Call } from '../call/call.ts';
import type { CallKeeper } from '../call/call-options.ts';
import type { JournalLine } from '../journal/lines.ts';
import { strictnessOf, upTo } from '../journal/take-up.ts';
import type { NewVersion } from './manager.ts';
import { startCall } from './start-call.ts';
import { takenUpCall } from './taken-up-call.ts';

/**
 * Takes a call that runs over to another version of its tool. First that version is tried, beside the call and seen by nobody: where
 * it cannot go on, the call is as it was.
 */
export function* continueWith(
  call: Call,
  keeper: CallKeeper<Call>,
  { tool: offer, anyway = false }: NewVersion,
  bounds: ToolLimits | undefined,
): Operation<void> {
  const tool = toolOf(offer);
  // What an earlier version did outside of steps, no later one knows of.
  const promised = anyway ? undefined : [call.tool, tool];
  for (const one of promised ?? []) strictnessOf(one, undefined);
  const strictness = strictnessOf(tool, 'lenient');
  const up = (lines: readonly JournalLine[]) => ({ ...upTo(lines, strictness), changed: true });
  yield* call.history.flushed();
  const { header, lines } = call.journal();
  const check = () => takenUpCall({ tool: offer, journal: header }, header, bounds);
  if (promised) {
    const { id, key, principal } = call;
    const trial = new Call(apart(keeper), {
      ...(yield* check()),
      id,
      key,
      principal,
      journal: { header, lines },
    });
    yield* scoped(function* () {
      yield* ensure(() => trial.abort('it was tried'));
      yield* startCall(trial, { ...up(lines), halfway: true }, (into) => call.runs.prepare(into));
      const reached = yield* trial.takenUp();
      const end = trial.ended();
      if (!reached && end?.type === 'error') throw errorFromData(end.error);
    });
  }
  // Each run of the code gets parameters of its own.
  const { plugin, params } = yield* check();
  yield* call.runs.change({ tool, plugin }, params, up);
}

/** Nobody hears of what is only tried. */
function apart(keeper: CallKeeper<Call>): CallKeeper<Call> {
  return { ...keeper, diagnose() {}, changed() {}, ended() {}, rested() {} };
}
