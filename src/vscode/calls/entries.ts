import { randomUUID } from 'node:crypto';
import type { Operation } from 'effection';
import * as vscode from 'vscode';
import type { JsonObject } from '../../core/messages/json.ts';
import { asLabel } from '../../core/messages/label.ts';
import { defined } from '../../core/schema/defined.ts';
import type { AnyTool } from '../../core/tool/tool.ts';
import { follow } from '../../panel/follow.ts';
import type { ShownEnding } from '../../panel/model/ending.ts';
import { isAnswered } from '../../panel/model/questions.ts';
import { type CallInfo, stopReasons, type TracePart } from '../../panel-port/index.ts';
import type { EndEvent } from '../../runtime/session/events.ts';
import type { Session } from '../../runtime/session/session.ts';
import type { StackMaps } from '../../workspace/load/stack-maps.ts';
import { useEdge, useLog } from '../contexts.ts';
import { callLog } from '../log/call-log.ts';
import { traceOf } from '../log/trace.ts';
import { type Asker, askerOf, shownAsker } from './asker.ts';
import { type CallEntry, isOfOthers, titleOf, toolSummary, type WaitingCall } from './call-entry.ts';
import type { CallList } from './call-list.ts';
import { useGoBack } from './go-back.ts';
import type { CallHistory } from './history/call-history.ts';
import type { CallRecord, KeptCall, OngoingNote } from './history/kept-call.ts';
import type { Attention } from './notices/attention.ts';
import { useEndActions } from './notices/end-actions.ts';
import { explainEnd, isElsewhere, isOfTheWorld, shownEnd } from './notices/explain.ts';
import { keptOf, noteOf } from './ongoing/notes.ts';
import type { OngoingCalls } from './ongoing/ongoing-calls.ts';
import { usePanels } from './panel/use-panels.ts';
import type { ViewBundles } from './panel/view-bundles.ts';
import { shownAsk } from './shipped/shipped-questions.ts';

/** What entries are made with. */
export interface EntriesParts extends ViewBundles {
  readonly calls: CallList;
  readonly attention: Pick<Attention, 'closed' | 'ended'>;
  readonly stackMaps: Pick<StackMaps, 'frames'>;
  readonly history: Pick<CallHistory, 'keep'>;
  readonly ongoing: Pick<OngoingCalls, 'of' | 'finish'>;
}

/** What is known of a call of an earlier window that has not ended. */
export interface LeftCall {
  readonly note: OngoingNote;
  readonly record: CallRecord;
  /** What its page left. */
  readonly memory: JsonObject | undefined;
  /** It is another program's, and was never shown here. */
  readonly isElsewhere?: true;
}

interface Listed extends Pick<CallEntry, 'asker' | 'tool'> {
  readonly record?: CallRecord;
  readonly memory?: JsonObject | undefined;
  readonly ofEarlierWindow?: boolean;
}

/** Lists calls, each with its panel, from before they run. */
export interface Entries {
  /** Lists a call that has not started, with a panel that nobody sees yet. */
  add(tool: AnyTool, asker: Asker): CallEntry;
  /** The call has started: from now on its entry and its panel show what happens in it. */
  begin(entry: CallEntry, session: Session): void;
  /** Lists a call of an earlier window that has not ended, as it was; `waiting` is what may become of it. */
  wait(call: LeftCall, waiting: (entry: CallEntry) => WaitingCall): CallEntry;
  /** It runs here: its events up to `shown` are shown already, those up to `written` are kept. */
  attached(entry: CallEntry, session: Session, cursors: { shown: number; written: number }): void;
  /** Lists a call of an earlier window again, as it was. */
  revive(call: KeptCall, record: CallRecord): CallEntry;
  /** Where an error comes from, for its panel. */
  trace(error: unknown): readonly TracePart[];
}

/** The entries of this window. */
export function* useEntries(parts: EntriesParts): Operation<Entries> {
  const { calls, attention, stackMaps, history, ongoing, registry } = parts;
  const edge = yield* useEdge();
  const log = yield* useLog();
  const newPanel = yield* usePanels(parts);
  const act = yield* useEndActions();
  const back = yield* useGoBack();
  const sessions = new WeakMap<CallEntry, Session>();
  const waiting = new WeakMap<CallEntry, WaitingCall>();
  const unwanted = new WeakSet<CallEntry>();
  const trace = (error: unknown) =>
    traceOf(error, { stackMaps, nameOf: (file) => vscode.workspace.asRelativePath(file) });

  const list = (
    call: Pick<CallInfo, 'toolName' | 'title' | 'summary' | 'description' | 'icon' | 'asker'>,
    { asker, tool, record, memory, ofEarlierWindow = record !== undefined }: Listed,
  ): CallEntry => {
    const entry: CallEntry = {
      id: randomUUID(),
      toolName: call.toolName,
      get tool() {
        return sessions.get(entry)?.tool ?? tool;
      },
      title: call.title,
      asker,
      session: () => sessions.get(entry),
      record: () => sessions.get(entry) ?? record,
      waiting: () => waiting.get(entry),
      *attach() {
        return sessions.get(entry) ?? (yield* waiting.get(entry)?.attach() ?? nobody());
      },
      act(id) {
        const isWaiting = !sessions.has(entry) && waiting.get(entry)?.act(id) === true;
        if (!isWaiting) act(entry, id);
      },
      abort() {
        const session = sessions.get(entry);
        const stop = session ? () => session.abort(stopReasons.byPerson) : waiting.get(entry)?.stop;
        if (stop) edge.fork(`stopping ${entry.title}`, stop);
        else {
          // One whose call is about to begin ends as it does.
          unwanted.add(entry);
          entry.panel.close();
        }
      },
      panel: newPanel({
        ...call,
        schema: () => entry.tool?.def.parameters.json,
        onStop: () => entry.abort(),
        onClosed: () => {
          if (!isOfOthers(entry)) attention.closed(entry);
        },
        onAction: (id) => entry.act(id),
        onGoBack: (askId) => back(entry, askId),
        ofEarlierWindow,
        memory,
        onMemory: (kept) => {
          const known = entry.record();
          if (known) ongoing.of(known)?.remember(kept);
        },
      }),
    };
    calls.add(entry);
    return entry;
  };

  const ending = (entry: CallEntry, end: EndEvent, lackedModel: boolean): ShownEnding => {
    const traced = end.type === 'error' ? trace(end.error) : undefined;
    const facts = {
      lackedModel,
      hasLine: traced?.some(({ own }) => own.length > 0) ?? false,
      debuggable: registry.get(entry.toolName)?.source.kind === 'workspace',
      own: entry.asker.kind === 'person',
      answered: entry.panel.store.get().rows.some(isAnswered),
      // A caller of an earlier window does not get the result.
      left: waiting.get(entry)?.isLeft() === true,
    };
    const shown = isOfTheWorld(end) ? traced?.map((part) => ({ ...part, internal: [] })) : traced;
    return { ...explainEnd(end, vscode.l10n.t, facts), trace: shown };
  };

  const show = (entry: CallEntry, session: Session, after?: number): void => {
    sessions.set(entry, session);
    const tell = callLog(log, session);
    follow(session, entry.panel.store, {
      ...defined({ after }),
      shown: (ask) => shownAsk(session.tool, ask, vscode.l10n.t, session.params),
      shownEnd: (end) => shownEnd(end, vscode.l10n.t),
      // From the events themselves, so that the log has them in their order.
      event(event) {
        tell(event);
        if (event.type === 'error' && !isElsewhere(event))
          log.error(`${entry.title} failed: ${event.error.message}`, event.error);
      },
      explain: (end, lackedModel) => ending(entry, end, lackedModel),
      ended(end) {
        if (!isElsewhere(end)) attention.ended(entry);
        edge.fork(`keeping ${entry.title}`, () => keep(entry, session, end));
      },
    });
  };
  const follows = ({ panel }: CallEntry, session: Session, written?: number): void =>
    ongoing.of(session)?.follow(session, noteOf(panel.store.get().call, session), written);
  function* keep({ asker, panel }: CallEntry, session: Session, end: EndEvent): Operation<void> {
    const kept = keptOf(panel.store.get(), session);
    const finished = kept
      ? yield* history.keep(kept, session, () => ongoing.finish(session, kept))
      : 'nothing';
    // The caller does not want it any more, and nobody else has ever looked.
    const unwanted = end.type === 'aborted' && asker.kind !== 'person' && !panel.lookedAt;
    if (unwanted && finished !== 'dropped') panel.close();
  }

  return {
    trace,
    add(tool, asker) {
      const { def, name: toolName } = tool;
      const shown = defined({
        summary: toolSummary(tool),
        icon: def.icon,
        server: def.foreign && asLabel(def.foreign.server),
        asker: shownAsker(asker),
      });
      return list(
        { toolName, title: titleOf(tool), description: def.description, ...shown },
        { asker, tool },
      );
    },
    revive(call, record) {
      const entry = list(call, { asker: askerOf(call.asker), tool: undefined, record });
      const past = { ...record, subscribe: () => () => {}, plugin: undefined, realm: () => undefined };
      follow(past, entry.panel.store, {
        event() {},
        explain: (end, lackedModel) => ending(entry, end, lackedModel),
      });
      return entry;
    },
    wait({ note, record, memory, isElsewhere }, call) {
      const asker = askerOf(note.asker);
      const entry = list(note, { asker, tool: undefined, record, memory, ofEarlierWindow: !isElsewhere });
      const past = { ...record, subscribe: () => () => {}, plugin: undefined, realm: () => undefined };
      follow(past, entry.panel.store, {
        handles: ({ declared, ref }) => declared && note.handled.includes(ref.key),
        event() {},
        // A window that was closed at the end of the call may have written that, and not that the call is over.
        explain: (end, lackedModel) => ending(entry, end, lackedModel),
      });
      waiting.set(entry, call(entry));
      return entry;
    },
    attached(entry, session, { shown, written }) {
      show(entry, session, shown);
      follows(entry, session, written);
    },
    begin(entry, session) {
      show(entry, session);
      follows(entry, session);
      if (unwanted.has(entry)) entry.abort();
    },
  };
}

function* nobody(): Operation<undefined> {
  return undefined;
}
