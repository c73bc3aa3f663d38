import { randomUUID } from 'node:crypto';
import { sep } from 'node:path';
import { type Operation, suspend } from 'effection';
import * as vscode from 'vscode';
import type { PersonCall, PersonCalls } from '../../../calls/person-calls.ts';
import { stopReasons } from '../../../panel-port/index.ts';
import type { ElicitAsk } from '../../../runtime/session/ask.ts';
import type { SessionHappening } from '../../../runtime/session/events.ts';
import type { Edge, Run } from '../../bridge.ts';
import { shownAsker } from '../asker.ts';
import type { CallEntry, WaitingCall } from '../call-entry.ts';
import type { CallList } from '../call-list.ts';
import type { Entries } from '../entries.ts';
import { plainText } from '../escaped-markdown.ts';
import type { Translate } from '../notices/explain.ts';

/** A call of another program, as it is listed here. */
export interface OtherCall {
  /** It stands otherwise. */
  update(call: PersonCall): void;
  /** Nobody but this window asks the person: they should notice. */
  asked(): void;
  /** It does not wait any more: its row and its panel go. */
  gone(): void;
}

/** What listing one needs. */
export interface OtherCallParts {
  readonly calls: Pick<CallList, 'remove'>;
  readonly entries: Pick<Entries, 'wait'>;
  readonly edge: Edge;
  /** The person should notice a question. */
  readonly asked: (entry: CallEntry) => void;
  readonly t: Translate;
}

/**
 * Lists a call of another program. Its panel shows Parley's own form, and the texts of the call as they are: no view, no code and no Markdown of it. What
 * is answered is left for that program, which checks it, and asks again here as well where it does not fit.
 */
export function listOther(
  { calls, entries, edge, asked: notice, t }: OtherCallParts,
  first: PersonCall,
  people: Pick<PersonCalls, 'send'>,
): OtherCall {
  const { name, tool: toolName, client, since, folder } = first;
  // One that this window has itself later is another call in its lists.
  const callId = `elsewhere ${name.callId}`;
  const title = first.title;
  const asker = shownAsker({ kind: 'client', name: client || first.server });
  const known = { callId, toolName, title, status: 'waiting' as const, startedAt: since, principal: '' };
  const note = { ...known, ...(asker && { asker }), handled: [], goesOn: 'no' as const };
  const record = {
    id: callId,
    principal: '',
    toolName,
    startedAt: since,
    params: undefined,
    events: () => [],
  };
  const send = (message: object) => people.send(name, { id: randomUUID(), digest: '', ...message });
  let at = 0;
  let open: ElicitAsk | undefined;
  let answering: Run<unknown> | undefined;
  const happens = (happening: SessionHappening) =>
    panel.store.dispatch({
      type: 'event',
      event: { ...happening, at: ++at, time: Date.now() },
    });

  function* answer(ask: ElicitAsk): Operation<void> {
    const { id, attempt, wireKey } = ask;
    const reply = yield* panel.inbox.question(id, attempt);
    panel.store.dispatch({ type: 'body', askId: id, body: { kind: 'busy', note: t('Sending the answer…') } });
    yield* send({ answers: { [wireKey]: reply }, seen: { [id]: attempt }, by: 'person' });
  }
  const close = () => {
    void answering?.halt();
    answering = undefined;
    if (open) happens({ type: 'ask_closed', id: open.id, how: 'withdrawn' });
    open = undefined;
  };
  let place = { folder, since, isInterrupted: false, isOfWindow: isOfWindow(folder) };
  const interrupt = (isInterrupted: boolean) => {
    if (isInterrupted === place.isInterrupted) return;
    place = { ...place, isInterrupted };
    close();
    const message = t(
      'The program of this call has ended. When the agent calls the tool again, you are asked whether to continue.',
    );
    const pause = isInterrupted ? { message, actions: [] } : undefined;
    panel.store.dispatch({ type: 'pause', pause, waits: isInterrupted, time: Date.now() });
  };
  const show = ({ asks, isInterrupted }: PersonCall) => {
    interrupt(isInterrupted);
    const [ask] = isInterrupted ? [] : asks;
    if (!ask || (ask.id === open?.id && ask.attempt === open.attempt)) return;
    if (ask.id === open?.id) void answering?.halt();
    else close();
    open = ask;
    const asked = { ...ask, request: { ...ask.request, message: plainText(ask.request.message) } };
    happens({ type: 'elicit_request', ask: asked });
    answering = edge.fork(`answering ${title}`, () => answer(ask));
  };
  const waiting: WaitingCall = {
    get place() {
      return place;
    },
    *run() {},
    attach: function* () {
      return yield* suspend() as Operation<never>;
    },
    *takeUp() {
      return undefined;
    },
    callerIsBack() {},
    isLeft: () => false,
    act: () => false,
    *stop() {
      yield* send({ stop: stopReasons.byPerson });
    },
  };
  const entry: CallEntry = entries.wait(
    { note, record, memory: undefined, isElsewhere: true },
    () => waiting,
  );
  const { panel } = entry;
  show(first);
  return {
    update: show,
    asked: () => notice(entry),
    gone() {
      close();
      calls.remove(entry);
      panel.close();
    },
  };
}

function isOfWindow(folder: string): boolean {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return folders.some(({ uri }) => uri.fsPath === folder || folder.startsWith(uri.fsPath + sep));
}
