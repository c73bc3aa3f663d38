import { randomUUID } from 'node:crypto';
import type { Operation } from 'effection';
import * as vscode from 'vscode';
import { defined } from '../../core/schema/defined.ts';
import type { AnyTool } from '../../core/tool/tool.ts';
import { follow } from '../../panel/follow.ts';
import type { Ending } from '../../panel/model/ending.ts';
import type { PanelState } from '../../panel/model/state.ts';
import { type CallInfo, stopReasons, type TracePart } from '../../panel-port/index.ts';
import type { EndEvent } from '../../runtime/session/events.ts';
import type { Session } from '../../runtime/session/session.ts';
import type { StackMaps } from '../../workspace/load/stack-maps.ts';
import { useEdge, useLog } from '../contexts.ts';
import type { CallHistory } from '../history/call-history.ts';
import type { CallRecord, KeptCall } from '../history/kept-call.ts';
import { traceOf } from '../log/trace.ts';
import { usePanels, type ViewBundles } from '../panel/call-panel.ts';
import { type Asker, askerOf, shownAsker } from './asker.ts';
import { type CallEntry, titleOf } from './call-entry.ts';
import type { CallList } from './call-list.ts';
import { useGoBack } from './go-back.ts';
import type { Attention } from './notices/attention.ts';
import { useEndActions } from './notices/end-actions.ts';
import { explainEnd } from './notices/explain.ts';

/** What entries are made with. */
export interface EntriesParts extends ViewBundles {
  readonly calls: CallList;
  readonly attention: Pick<Attention, 'closed'>;
  readonly stackMaps: Pick<StackMaps, 'frames'>;
  readonly history: Pick<CallHistory, 'keep'>;
}

/** Lists calls, each with its panel, from before they run. */
export interface Entries {
  /** Lists a call that has not started, with a panel that nobody sees yet. */
  add(tool: AnyTool, asker: Asker): CallEntry;
  /** The call has started: from now on its entry and its panel show what happens in it. */
  begin(entry: CallEntry, session: Session): void;
  /** Lists a call of an earlier window again, as it was. */
  revive(call: KeptCall, record: CallRecord): CallEntry;
  /** Where an error comes from, for its panel. */
  trace(error: unknown): readonly TracePart[];
}

/** The entries of this window. */
export function* useEntries(parts: EntriesParts): Operation<Entries> {
  const { calls, attention, stackMaps, history, registry } = parts;
  const edge = yield* useEdge();
  const log = yield* useLog();
  const newPanel = yield* usePanels(parts);
  const act = yield* useEndActions();
  const back = yield* useGoBack();
  const sessions = new WeakMap<CallEntry, Session>();
  const trace = (error: unknown) =>
    traceOf(error, { stackMaps, nameOf: (file) => vscode.workspace.asRelativePath(file) });

  const list = (
    call: Pick<CallInfo, 'toolName' | 'title' | 'summary' | 'description' | 'icon' | 'asker'>,
    { asker, tool, record }: Pick<CallEntry, 'asker' | 'tool'> & { readonly record?: CallRecord },
  ): CallEntry => {
    const entry: CallEntry = {
      id: randomUUID(),
      toolName: call.toolName,
      tool,
      title: call.title,
      asker,
      session: () => sessions.get(entry),
      record: () => record ?? sessions.get(entry),
      abort() {
        const session = sessions.get(entry);
        if (session) edge.fork(`stopping ${entry.title}`, () => session.abort(stopReasons.byPerson));
        else entry.panel.close();
      },
      panel: newPanel({
        ...call,
        onStop: () => entry.abort(),
        onClosed: () => attention.closed(entry),
        onAction: (id) => act(entry, id),
        onGoBack: (askId) => back(entry, askId),
      }),
    };
    calls.add(entry);
    return entry;
  };

  const ending = (entry: CallEntry, end: EndEvent, lackedModel: boolean): Ending => {
    const traced = end.type === 'error' ? trace(end.error) : undefined;
    const facts = {
      lackedModel,
      hasLine: traced?.some(({ own }) => own.length > 0) ?? false,
      debuggable: registry.get(entry.toolName)?.source.kind === 'workspace',
      own: entry.asker.kind === 'person',
    };
    return { ...explainEnd(end, vscode.l10n.t, facts), trace: traced };
  };

  return {
    trace,
    add(tool, asker) {
      const { def, name: toolName } = tool;
      const { description, summary } = def;
      const shown = defined({ summary, icon: def.icon, asker: shownAsker(asker) });
      return list({ toolName, title: titleOf(tool), description, ...shown }, { asker, tool });
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
    begin(entry, session) {
      sessions.set(entry, session);
      follow(session, entry.panel.store, {
        // From the events themselves, so that the log has them in their order.
        event(event) {
          if (event.type === 'log') log.call(entry.toolName, event.level, event.message, event.data);
          if (event.type === 'error') log.error(`${entry.title} failed: ${event.error.message}`, event.error);
        },
        explain: (end, lackedModel) => ending(entry, end, lackedModel),
        ended(end) {
          const { asker, panel } = entry;
          const kept = keptOf(panel.store.get(), session.principal);
          if (kept) edge.fork(`keeping ${entry.title}`, () => history.keep(kept, session));
          // Whoever asked does not want it any more, and nobody else has ever looked.
          if (end.type === 'aborted' && asker.kind !== 'person' && !panel.lookedAt) panel.close();
        },
      });
    },
  };
}

/** What a list will say of a call that has just ended. */
function keptOf({ call, timers }: PanelState, principal: string): KeptCall | undefined {
  const { startedAt, endedAt } = call;
  if (startedAt === undefined || endedAt === undefined) return undefined;
  return { ...call, startedAt, endedAt, principal, waited: timers.human.total };
}
