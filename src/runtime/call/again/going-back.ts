import { type Operation, type Scope, useScope } from 'effection';
import { CallEndedError } from '../../../core/errors/call-errors.ts';
import {
  ReplayDivergedError,
  RewindRefusedError,
  UndoFailedError,
} from '../../../core/errors/journal-errors.ts';
import { type Validation, validate } from '../../../core/schema/validate.ts';
import type { AnyTool } from '../../../core/tool/tool.ts';
import type { CallJournal } from '../../journal/call-journal.ts';
import type { JournalLine } from '../../journal/lines.ts';
import { planRewind, type StepToUndo } from '../../journal/rewind-plan.ts';
import { strictnessOf, upTo } from '../../journal/take-up.ts';
import type { SessionHappening } from '../../session/events.ts';
import type { RewindOptions } from '../../session/session.ts';
import type { ToolVersion, Undo } from '../tool-side.ts';
import type { UpTo } from './taking-up.ts';

/** What of a call goes back. */
export interface RewoundCall {
  readonly tool: AnyTool;
  readonly over: boolean;
  readonly history: CallJournal;
  /** What takes back a step. */
  undo(id: string): Undo | undefined;
  emit(happening: SessionHappening): void;
  /** Lets go of the code that runs; nothing that it still does counts. */
  halt(): Operation<'down' | 'stuck'>;
  /** Puts the contexts of the call into a scope. */
  prepare(scope: Scope): void;
  /** Runs the code again, from its first line; with a `version`, that of another version of its tool. */
  again(params: unknown, up: UpTo, version?: ToolVersion): void;
  takenUp(): Operation<boolean>;
  fail(error: Error): void;
}

/** Takes a call back to a question. @throws `RewindRefusedError`, `CallEndedError`, `UndoFailedError` */
export function* rewindCall(
  call: RewoundCall,
  askId: string,
  { anyway = false }: RewindOptions = {},
): Operation<void> {
  const { durable, annotations } = call.tool.def;
  if (!durable && !annotations.readOnlyHint && !anyway) {
    throw new RewindRefusedError({
      askId,
      problem: `'${call.tool.name}' is not durable (.durable()), so running it again could repeat its effects`,
    });
  }
  yield* call.history.flushed();
  if (call.over) throw new CallEndedError({ verb: 'rewind' });
  const { keep, undo } = planRewind(call.history.read().lines, askId);
  const unknown = undo.find(({ id }) => !call.undo(id));
  if (unknown)
    throw new RewindRefusedError({
      askId,
      problem: `the code that undoes '${unknown.name}' is not available here`,
    });
  yield* halted(call);
  try {
    // Before anything is taken back: who takes the call up after a crash goes on taking back.
    yield* call.history.rewound(
      keep,
      askId,
      undo.map(({ id }) => id),
    );
  } catch (error) {
    // Nothing has happened: it goes on where it was.
    yield* again(call);
    throw error;
  }
  call.emit({ type: 'rewound', to: askId });
  yield* undoAndGoOn(call, undo);
}

/** Takes steps back, and runs the code again from there. */
export function* undoAndGoOn(call: RewoundCall, undo: readonly StepToUndo[]): Operation<void> {
  call.prepare(yield* useScope());
  for (const { id, name, result } of undo) {
    if (call.over) throw new CallEndedError({ verb: 'rewind' });
    try {
      yield* call.undo(id)?.(structuredClone(result)) ?? missing();
    } catch (cause) {
      const error = new UndoFailedError({ step: name, cause });
      call.fail(error);
      throw error;
    }
    yield* call.history.undone(id);
  }
  yield* again(call);
}

/** Lets go of the code that runs, and takes another version of the tool to where that was. @throws `CallEndedError` */
export function* changeVersion(
  call: RewoundCall,
  version: ToolVersion,
  params: unknown,
  up: (lines: readonly JournalLine[]) => UpTo,
): Operation<void> {
  yield* call.history.flushed();
  if (call.over) throw new CallEndedError({ verb: 'continueWith' });
  yield* halted(call);
  call.again(params, up(call.history.read().lines), version);
  yield* call.takenUp();
}

/** Lets go of the code that runs. @throws `CallEndedError` when the call ends meanwhile */
export function* halted(call: RewoundCall): Operation<void> {
  const rest = yield* call.halt();
  if (rest === 'stuck') call.fail(new Error('its cleanup is stuck, so it could not go back'));
  if (call.over) throw new CallEndedError({ verb: 'rewind' });
}

function* again(call: RewoundCall): Operation<void> {
  const { header, lines } = call.history.read();
  const { parameters, durable } = call.tool.def;
  const checked: Validation<unknown> = yield* validate(parameters.schema, structuredClone(header.params));
  if (call.over) throw new CallEndedError({ verb: 'rewind' });
  if (!checked.ok) {
    const does = `refuses them (${checked.problem})`;
    call.fail(
      new ReplayDivergedError({ toolName: call.tool.name, did: 'took its parameters', does, line: 0 }),
    );
    return;
  }
  // The same code, so what is durable does the same; of others a person has said that they may run again.
  call.again(checked.value, upTo(lines, strictnessOf(call.tool, durable ? 'strict' : 'lenient')));
  yield* call.takenUp();
}

function* missing(): Operation<never> {
  throw new Error('its code is not known here');
}
