import { type Operation, race } from 'effection';
import * as vscode from 'vscode';
import { callNoteIn } from '../../../calls/messages.ts';
import { toError } from '../../../core/errors/errors.ts';
import type { JsonObject } from '../../../core/messages/json.ts';
import { defined } from '../../../core/schema/defined.ts';
import { isJsonObject, stopReasons } from '../../../panel-port/index.ts';
import type { CallSummary } from '../../../runtime/journal/call-store.ts';
import { effectiveLines } from '../../../runtime/journal/effective.ts';
import type { JournalLine } from '../../../runtime/journal/lines.ts';
import { readJournal } from '../../../runtime/journal/take-up.ts';
import type { SessionManager } from '../../../runtime/manager/manager.ts';
import type { SessionEvent } from '../../../runtime/session/events.ts';
import type { Session } from '../../../runtime/session/session.ts';
import type { ToolRegistry } from '../../../workspace/registry/registry.ts';
import type { Edge } from '../../bridge.ts';
import { askerOf } from '../asker.ts';
import { type CallEntry, hasEnded } from '../call-entry.ts';
import type { CallList } from '../call-list.ts';
import { editorCapabilities } from '../editor/editor-capabilities.ts';
import type { Entries } from '../entries.ts';
import type { CallHistory } from '../history/call-history.ts';
import {
  type CallRecord,
  decodeOngoing,
  decodeParams,
  type KeptCall,
  type OngoingNote,
  readEvents,
} from '../history/kept-call.ts';
import { withLoansFor } from '../looking-only.ts';
import { toolOfCall } from '../run/first-tool.ts';
import type { ToolPort } from '../run/tool-port.ts';
import { findCalls } from './find-calls.ts';
import type { FoundCall, OngoingCall } from './ongoing-call.ts';
import type { OngoingCalls } from './ongoing-calls.ts';
import { sayStopped } from './say-stopped.ts';
import { createWaitingCall, takeUpForMessages } from './waiting-call.ts';
import { waitsFor, wholeEvents } from './whole-events.ts';

/** What taking up calls of earlier windows needs. */
export interface TakeUpParts {
  readonly calls: CallList;
  readonly registry: Pick<ToolRegistry, 'get'>;
  readonly tools: Pick<ToolPort, 'loaded'>;
  readonly history: Pick<CallHistory, 'keep' | 'store'>;
  readonly ongoing: OngoingCalls;
  readonly entries: Pick<Entries, 'wait' | 'attached' | 'revive'>;
  readonly manager: SessionManager;
  readonly edge: Edge;
  /** Which of the windows on a folder this is. */
  readonly window: number | undefined;
  /** Hears of calls that cannot be read. */
  onProblem(error: unknown): void;
  /** Answers a call in the editor, to its end. */
  drive(entry: CallEntry, session: Session, byClient: boolean): Operation<unknown>;
}

/** A call as it is taken up. */
interface Taken {
  readonly call: OngoingCall;
  readonly note: OngoingNote;
  readonly record: CallRecord;
  /** What its page left. */
  readonly memory: JsonObject | undefined;
  readonly lines: readonly JournalLine[];
  /** The last event that is kept. */
  readonly written: number;
  /** Its client comes back by itself. */
  readonly comesBack: boolean;
  /** Something was left for it while no window had it. */
  readonly hasMessages: boolean;
}

/**
 * Lists calls of earlier windows that have not ended, where nobody else has them; what is noted of the others is given back, by their ids. `here`: since when
 * this window is there, milliseconds since the epoch.
 */
export function createTakeUp(parts: TakeUpParts) {
  const { calls, history, ongoing } = parts;
  return function* takeUp(
    summaries: readonly CallSummary[],
    here: number,
  ): Operation<ReadonlyMap<string, OngoingNote>> {
    // One that ended here, and here alone, another window had meanwhile.
    const entries = new Map(calls.list().map((entry) => [entry.record()?.id, entry]));
    const others = summaries.filter(({ name }) => isOver(entries.get(name.callId)));
    const stopped: CallEntry[] = [];
    const { found, elsewhere } = yield* findCalls(yield* history.store(), others, { ...parts, here });
    for (const one of found) {
      const note = decodeOngoing(one.stored);
      if (!note) continue;
      const before = entries.get(one.stored.name.callId);
      if (before) calls.remove(before);
      before?.panel.close();
      const call = ongoing.found(one.stored.name, one.stored.header);
      yield* call.adopt(one, note);
      const taken = takenOf(call, note, one);
      if (typeof taken === 'object' && note.goesOn !== 'no') {
        wait(parts, taken);
        continue;
      }
      const events = readEvents(one.events);
      const left = { call, note, record: recordOf(note, one.stored.header, () => events) };
      const reason = typeof taken === 'string' ? taken : whyNot(note);
      const end = abortedIn(left.record, reason, events.at(-1)?.time ?? note.startedAt);
      const kept = yield* keepEnded(parts, left, end);
      if (typeof taken === 'object') stopped.push(parts.entries.revive(...kept));
    }
    if (stopped.length > 0) parts.edge.fork('a notice', () => sayStopped(stopped));
    return elsewhere;
  };
}

function isOver(entry: CallEntry | undefined): boolean {
  return entry === undefined || hasEnded(entry);
}

/** What is known of a call, or why it is of no use. */
function takenOf(call: OngoingCall, note: OngoingNote, { stored, events }: FoundCall): Taken | string {
  const { header, lines } = stored;
  try {
    const journal = readJournal({ header, lines });
    const kept = readEvents(events);
    const counted = effectiveLines(journal.lines).map(({ line }) => line);
    const whole = wholeEvents(kept, counted);
    return {
      call,
      note,
      record: recordOf(note, header, () => whole),
      memory: isJsonObject(stored.notes.memory) ? stored.notes.memory : undefined,
      lines: counted,
      written: kept.at(-1)?.at ?? 0,
      comesBack: askerOf(note.asker).kind === 'client' && callNoteIn(stored.notes)?.round !== undefined,
      hasMessages: stored.inbox > 0,
    };
  } catch (error) {
    return toError(error).message;
  }
}

function recordOf(
  { callId, principal, toolName, startedAt }: OngoingNote,
  header: FoundCall['stored']['header'],
  events: () => readonly SessionEvent[],
): CallRecord {
  return { id: callId, principal, toolName, startedAt, params: decodeParams(header), events };
}

function whyNot({ toolName }: OngoingNote): string {
  return vscode.l10n.t(
    'The window closed while this call was running. Parley cannot resume it safely because “{0}” is not durable.',
    toolName,
  );
}

function abortedIn(record: CallRecord, reason: string, time: number): SessionEvent {
  return { at: (record.events().at(-1)?.at ?? 0) + 1, time, type: 'aborted', reason };
}

/** Keeps a call as one that has ended, though it was not taken up. */
function* keepEnded(
  { history }: TakeUpParts,
  { call, note, record }: Pick<Taken, 'call' | 'note' | 'record'>,
  end: SessionEvent,
): Operation<[KeptCall, CallRecord]> {
  const kept = { ...note, status: 'aborted' as const, endedAt: end.time, waited: 0 };
  const ended = { ...record, events: () => [...record.events(), end] };
  yield* history.keep(kept, ended, () => call.close(kept, [end]));
  return [kept, ended];
}

function wait(parts: TakeUpParts, taken: Taken): void {
  const { edge, entries, history } = parts;
  const { note, record, lines, comesBack } = taken;
  entries.wait(taken, (entry) => {
    const { panel, asker, title } = entry;
    const waiting = createWaitingCall({
      panel,
      asker,
      durable: note.goesOn === 'durable',
      comesBack,
      waits: waitsFor(lines, record.events()),
      t: vscode.l10n.t,
      resume: (replay) => resume(parts, taken, replay),
      attached(session) {
        const shown = record.events().at(-1)?.at ?? 0;
        entries.attached(entry, session, { shown, written: taken.written });
      },
      drive(session, byClient) {
        edge.fork(`answering ${title}`, () => parts.drive(entry, session, byClient));
      },
      *end() {
        const end = abortedIn(record, stopReasons.byPerson, Date.now());
        panel.store.dispatch({ type: 'event', event: end });
        yield* keepEnded(parts, taken, end);
      },
    });
    const seeing = () => race([waiting.run(), takeUpForMessages(history.store, taken, waiting)]);
    edge.fork(`a call of an earlier window, ${title}`, seeing);
    return waiting;
  });
}

function* resume(
  { tools, registry, manager, history }: TakeUpParts,
  { call, note, record, comesBack }: Taken,
  replay: 'lenient' | undefined,
): Operation<Session> {
  yield* tools.loaded();
  const registered = yield* toolOfCall(registry, note.toolName);
  if (!registered) {
    const message = vscode.l10n.t(
      'The tool “{0}” is not available. Its file may be missing or may not load.',
      note.toolName,
    );
    throw new Error(message);
  }
  const stored = yield* (yield* history.store()).read(call.name);
  if (!stored) throw new Error(vscode.l10n.t('This call continues in another window, or was deleted.'));
  call.reopen();
  const { header, lines } = stored;
  const resumed = () =>
    manager.resume({
      tool: registered.plugin ?? registered.tool,
      journal: { header, lines },
      capabilities: editorCapabilities,
      sink: call.sink,
      events: record.events(),
      retain: comesBack,
      ...defined({ replay }),
    });
  const byClient = askerOf(note.asker).kind === 'client';
  return yield* byClient ? withLoansFor(registered.tool, resumed) : resumed();
}
