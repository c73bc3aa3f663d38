import { action, ensure, type Operation, spawn, useScope } from 'effection';
import * as vscode from 'vscode';
import { type PersonCall, type PersonCalls, shownToPerson } from '../../calls/person-calls.ts';
import type { Calls } from '../../calls/port.ts';
import { errorData } from '../../core/errors/data/error-data.ts';
import type { ClientCapabilities } from '../../core/tool/context.ts';
import { servedCalls } from '../../mcp/served-calls.ts';
import type { QuestionReply } from '../../panel/inbox.ts';
import type { CallStore, CallSummary } from '../../runtime/journal/call-store.ts';
import type { JournalLine } from '../../runtime/journal/lines.ts';
import { readJournal } from '../../runtime/journal/take-up.ts';
import type { SessionManager } from '../../runtime/manager/manager.ts';
import type { Client } from '../../runtime/session/client.ts';
import type { EndEvent, LogEvent } from '../../runtime/session/events.ts';
import type { Session } from '../../runtime/session/session.ts';
import { createEdge } from '../bridge.ts';
import { useEdge, useExtension, useLog } from '../contexts.ts';
import { setting } from '../setting.ts';
import { askInPanel, type PanelQuestion } from './ask-in-panel.ts';
import type { Asker } from './asker.ts';
import { type Answered, attendCall, editorOf, panelBeside } from './attend.ts';
import type { CallEntry } from './call-entry.ts';
import type { CallList } from './call-list.ts';
import { editorCapabilities } from './editor/editor-capabilities.ts';
import { createEditorClient, type EditorClientOptions } from './editor-client.ts';
import { type EntriesParts, useEntries } from './entries.ts';
import type { CallHistory } from './history/call-history.ts';
import type { CallRecord, KeptCall, OngoingNote } from './history/kept-call.ts';
import { sharedStorage } from './history/place/shared-storage.ts';
import { sayUnreadable } from './history/unreadable.ts';
import { listOther, type OtherCall } from './inbox/other-call.ts';
import type { WindowInbox } from './inbox/window-inbox.ts';
import { createInnerApproval, type InnerRun } from './inner-approval.ts';
import { useAttention } from './notices/attention.ts';
import { DrawnPages } from './notices/drawn-pages.ts';
import { keepProgressShown } from './notices/progress.ts';
import { sayNotKept } from './ongoing/not-kept.ts';
import { noteOf } from './ongoing/notes.ts';
import { useOngoingCalls } from './ongoing/ongoing-calls.ts';
import { createTakeUp } from './ongoing/take-up.ts';
import type { CallPanel } from './panel/call-panel.ts';
import { createLastParameters } from './parameters/last-parameters.ts';
import { remembering } from './remembering.ts';
import type { ToolPort } from './run/tool-port.ts';
import { createLastModel } from './sampler/last-model.ts';
import { showModels } from './sampler/models.ts';
import { createOwnModels } from './sampler/own-models.ts';
import { createSampler } from './sampler/sampler.ts';
import { createStarting, type RunRequest, showInPlace } from './starting.ts';
import { useWindowManager } from './window-manager.ts';

/** What a desk is made with. */
export interface DeskParts extends Omit<EntriesParts, 'attention' | 'ongoing'> {
  readonly history: Pick<CallHistory, 'keep' | 'store'>;
  readonly tools: Pick<ToolPort, 'loaded'>;
  /** Where what this window asks is listed to the person in other programs; nothing where it is not. */
  readonly inbox: WindowInbox | undefined;
  /** Waits until it is known where a call of an earlier window is. */
  known(callId: string): Operation<void>;
}

/** Starts calls for a person, and gives calls of others a panel and a place in the list. */
export interface CallDesk {
  /** Runs all calls of this window, no matter who started them. */
  readonly manager: SessionManager;
  /** The same calls, for all who attach to them, leave them messages, or look. */
  readonly calls: Calls;
  /**
   * Run Tool…: the panel opens at once, in front, unless it is to stay away; parameters first, then everything else. The end is absent when the
   * person closed the form. @throws `ParamsInvalidError` for settled parameters that do not fit.
   */
  run(request: RunRequest): Operation<{ readonly entry: CallEntry; readonly end: EndEvent | undefined }>;
  /** What came into a call, as far as it is kept. */
  linesOf(entry: CallEntry): Operation<readonly JournalLine[]>;
  /** The panel of a session that runs here. */
  panelOf(session: Session): CallPanel | undefined;
  /** The chat draws a page of this tool: that of a call which waits is on its way. */
  pageDrawn(tool: string): void;
  /** The client that answers another caller's session in the editor, the same each time. Its panel opens with its first question. */
  adopt(session: Session, asker: Asker, model?: vscode.LanguageModelChat): Client;
  /** Attaches a client to a call that runs here, to its end. */
  attend(session: Session, client: Client): Operation<EndEvent>;
  /** Lists a call that a client asked for, which can do that much, and attaches its panel once it is open: it answers beside that client, where it may. */
  adoptFor(session: Session, asker: Asker, promised: ClientCapabilities, mayAnswer: () => boolean): void;
  /** The editor as the client of whichever of these calls asks it: a question for it opens the panel. */
  readonly editor: Client;
  /** Takes note that a call goes on with another version of its tool: later windows go by what that one promises. */
  changed(entry: CallEntry, session: Session): void;
  /** Lists a call of an earlier window again. */
  revive(call: KeptCall, record: CallRecord): CallEntry;
  /** Lists calls of earlier windows that have not ended, where nobody else has them; what is noted of the others comes back, by their ids. `here`: since when this window is there. */
  takeUp(ongoing: readonly CallSummary[], here: number): Operation<ReadonlyMap<string, OngoingNote>>;
  /** Lists a call of another program, which waits for the person. */
  listOther(call: PersonCall, people: PersonCalls): OtherCall;
  /** Asks the person, in the panel of an adopted session, whether a tool may run inside it. */
  mayRun(session: Session, inner: InnerRun): Operation<boolean>;
  /** Asks the person something in the panel of a call that runs here. */
  ask(session: Session, question: PanelQuestion): Operation<QuestionReply>;
}

/**
 * The desk of this window, with all that runs calls: sessions, panels, sampler. It is loaded with the first call, so that
 * starting the editor does not pay for it; ended with its owner, and every call with it.
 */
export function* useDesk(parts: DeskParts): Operation<CallDesk> {
  const log = yield* useLog();
  const edge = yield* useEdge();
  const home = yield* useExtension();
  const { languageModelAccessInformation, secrets, workspaceState } = home;
  const { window } = sharedStorage(home);
  const ongoing = yield* useOngoingCalls({
    store: parts.history.store,
    window,
    enabled: () => setting('parley.history.enabled'),
    failed: (error, first) => edge.fork('a notice', () => sayNotKept(error, first)),
    lost: (call) => log.warn(`The call ${call.name.callId} continues in another window`),
  });
  const manager = yield* useWindowManager(ongoing.keep);
  ongoing.useManager(manager);
  yield* ensure(() => ongoing.windowCloses());
  const scope = yield* useScope();
  const calls = servedCalls({
    manager,
    store: yield* opened(parts.history),
    staying: {
      of: (session) => ongoing.of(session),
      *takeUp({ principal, callId }) {
        yield* parts.known(callId);
        const entry = parts.calls.list().find((one) => {
          const record = one.record();
          return record?.id === callId && record.principal === principal;
        });
        return yield* entry?.waiting()?.takeUp() ?? [];
      },
    },
    shown:
      parts.inbox &&
      shownToPerson(parts.inbox.store, parts.inbox.program, (session) => {
        const entry = parts.calls.list().find((one) => one.session() === session);
        const asker = entry?.asker;
        return {
          client: asker && asker.kind !== 'person' ? asker.name : vscode.env.appName,
          server: vscode.env.appName,
          folder: vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '',
          title: entry?.title ?? session.toolName,
        };
      }),
    ttl: HOUR,
    report: (message, cause) => log.warn(message, cause),
    // What fails there is for who asked for it, and takes no window along.
    run: (op) => createEdge(scope, () => {}).promise(op),
  });
  const sampler = createSampler(
    languageModelAccessInformation,
    log,
    createLastModel(workspaceState, showModels),
    createOwnModels(secrets, () => setting('parley.models')),
  );
  const drawn = new DrawnPages();
  const attention = yield* useAttention(parts.calls, drawn);
  const entries = yield* useEntries({ ...parts, ongoing, attention });
  const mayRun = createInnerApproval({
    asked: attention.asked,
    t: vscode.l10n.t,
  });
  const adopted = new WeakMap<Session, Adopted>();
  const clientOf = (entry: CallEntry, how?: EditorClientOptions) =>
    createEditorClient(entry, { sampler, log, attention }, how);

  const adopt = (session: Session, entry: CallEntry, how?: EditorClientOptions): Adopted => {
    const one = { entry, client: clientOf(entry, how), asked: () => attention.asked(entry) };
    adopted.set(session, one);
    return one;
  };
  const listed = (session: Session, asker: Asker): CallEntry => {
    const entry = entries.add(session.tool, asker);
    entries.begin(entry, session);
    return entry;
  };
  const adoptedOf = (session: Session): Adopted => {
    const known = adopted.get(session);
    if (!known) throw new Error('this call is not in the editor');
    return known;
  };

  const attend = (session: Session, client: Client) => attendCall(calls, session, client);

  const start = createStarting({ ...parts, manager, lastParameters: createLastParameters(workspaceState) });

  const takeUp = createTakeUp({
    ...parts,
    ongoing,
    window,
    entries,
    manager,
    edge,
    onProblem: (error) => edge.fork('a notice', () => sayUnreadable(error)),
    drive(entry, session, byClient) {
      const { client } = adopt(session, entry, { quiet: byClient });
      return attend(session, byClient ? panelBeside(client, editorCapabilities, () => true) : client);
    },
  });

  return {
    manager,
    calls,
    attend,
    revive: entries.revive,
    takeUp,
    *run(request) {
      const entry = entries.add(request.tool, { kind: 'person' });
      if (!request.unseen) showInPlace(parts.calls, entry);
      try {
        const session = yield* start(request, entry);
        if (!session) return { entry, end: undefined };
        entries.begin(entry, session);
        const { remembered, notice } = request;
        if (notice) entry.panel.store.dispatch({ type: 'event', event: warning(notice) });
        if (!request.debugged) yield* spawn(() => keepProgressShown(entry));
        const kept = (askId: string) =>
          entry.panel.store.dispatch({ type: 'kept', askId, from: remembered?.began ?? 0 });
        const client = remembered ? remembering(clientOf(entry), session, remembered, kept) : clientOf(entry);
        return { entry, end: yield* attend(session, client) };
      } catch (error) {
        // The call never was: say so where the person looks.
        if (!entry.session()) {
          const ending = { trace: entries.trace(error) };
          entry.panel.store.dispatch({ type: 'event', event: failure(error), ending });
        }
        throw error;
      } finally {
        if (!entry.session() && !entry.panel.open) parts.calls.remove(entry);
      }
    },
    *linesOf(entry) {
      const record = entry.record();
      const session = entry.session();
      if (session) return session.journal().lines;
      if (!record) return [];
      const name = { principal: record.principal, conversation: '', callId: record.id };
      const stored = yield* (yield* parts.history.store()).read(name);
      return stored ? readJournal(stored).lines : [];
    },
    changed: (entry, session) => ongoing.of(session)?.describe(noteOf(entry.panel.store.get().call, session)),
    pageDrawn: (tool) => drawn.add(tool),
    panelOf: (session) => parts.calls.list().find((entry) => entry.session() === session)?.panel,
    adopt(session, asker, model) {
      const known = adopted.get(session);
      if (known) return known.client;
      if (model) sampler.prefer(model);
      return adopt(session, listed(session, asker), { model }).client;
    },
    adoptFor(session, asker, promised, mayAnswer) {
      const entry = listed(session, asker);
      const one = adopt(session, entry, { quiet: true });
      const panel = panelBeside(one.client, promised, mayAnswer);
      // Nobody can answer there before: until then the call waits for its client alone, and gives way as such calls do.
      const attach = whenOpened(entry.panel, () =>
        edge.fork(`the panel of ${entry.title}`, () => attend(session, panel)),
      );
      const asked = () => {
        attach();
        one.asked();
      };
      adopted.set(session, { ...one, asked });
    },
    editor: editorOf(adoptedOf),
    listOther: (call, people) => {
      const { t } = vscode.l10n;
      return listOther(
        { ...parts, entries, edge, asked: (entry) => attention.asked(entry), t },
        call,
        people,
      );
    },
    *mayRun(session, inner) {
      const known = adopted.get(session);
      return known !== undefined && (yield* mayRun(known.entry, inner));
    },
    *ask(session, question) {
      const entry = yield* entryOf(parts.calls, session);
      return yield* askInPanel(entry, question, () => attention.asked(entry));
    },
  };
}

/** How long a call waits for the next request of its client, milliseconds. */
const HOUR = 3_600_000;

interface Adopted extends Answered {
  readonly entry: CallEntry;
}

/** Where calls are kept; nothing where that cannot be: they go on in memory, and who writes the first says so. */
function* opened(history: Pick<CallHistory, 'store'>): Operation<CallStore | undefined> {
  try {
    return yield* history.store();
  } catch {
    return undefined;
  }
}

/** Calls back once, when a panel has a window for the first time, or when what this gives is called before. */
function whenOpened(panel: Pick<CallPanel, 'open' | 'subscribe'>, opened: () => void): () => void {
  let isOpened = false;
  const open = () => {
    if (isOpened) return;
    isOpened = true;
    stop();
    opened();
  };
  const stop = panel.subscribe(() => {
    if (panel.open) open();
  });
  return open;
}

/** The entry of a session. A call begins before it is listed. */
function entryOf(calls: CallList, { id, principal }: Session): Operation<CallEntry> {
  return action((resolve) => {
    const look = () => {
      const found = calls.list().find((entry) => {
        const session = entry.session();
        return session?.id === id && session.principal === principal;
      });
      if (found) resolve(found);
    };
    const stop = calls.subscribe(look);
    look();
    return stop;
  });
}

function warning(message: string): LogEvent {
  return { at: 0, time: Date.now(), type: 'log', level: 'warning', message, depth: 0 };
}

function failure(error: unknown): EndEvent {
  return { at: 1, time: Date.now(), type: 'error', error: errorData(error) };
}
