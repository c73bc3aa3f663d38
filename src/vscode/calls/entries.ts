import { randomUUID } from 'node:crypto';
import type { Operation } from 'effection';
import * as vscode from 'vscode';
import type { AnyTool } from '../../core/tool/tool.ts';
import { stopReasons, type TracePart } from '../../panel-port/index.ts';
import type { Session } from '../../runtime/session/session.ts';
import type { StackMaps } from '../../workspace/load/stack-maps.ts';
import { useEdge, useLog } from '../contexts.ts';
import { traceOf } from '../log/trace.ts';
import { usePanels, type ViewBundles } from '../panel/call-panel.ts';
import { type Asker, shownAsker } from './asker.ts';
import { type CallEntry, titleOf } from './call-entry.ts';
import type { CallList } from './call-list.ts';
import { follow } from './follow.ts';
import type { Attention } from './notices/attention.ts';
import { useEndActions } from './notices/end-actions.ts';
import { explainEnd } from './notices/explain.ts';

/** What entries are made with. */
export interface EntriesParts extends ViewBundles {
  readonly calls: CallList;
  readonly attention: Pick<Attention, 'closed'>;
  readonly stackMaps: Pick<StackMaps, 'frames'>;
}

/** Lists calls, each with its panel, from before they run. */
export interface Entries {
  /** Lists a call that has not started, with a panel that nobody sees yet. */
  add(tool: AnyTool, asker: Asker): CallEntry;
  /** The call has started: from now on its entry and its panel show what happens in it. */
  begin(entry: CallEntry, session: Session): void;
  /** Where an error comes from, for its panel. */
  trace(error: unknown): readonly TracePart[];
}

/** The entries of this window. */
export function* useEntries({ calls, attention, stackMaps, ...bundles }: EntriesParts): Operation<Entries> {
  const edge = yield* useEdge();
  const log = yield* useLog();
  const newPanel = yield* usePanels(bundles);
  const act = yield* useEndActions();
  const sessions = new WeakMap<CallEntry, Session>();
  const trace = (error: unknown) =>
    traceOf(error, { stackMaps, nameOf: (file) => vscode.workspace.asRelativePath(file) });

  return {
    trace,
    add(tool, asker) {
      const { def } = tool;
      const entry: CallEntry = {
        id: randomUUID(),
        tool,
        title: titleOf(tool),
        asker,
        session: () => sessions.get(entry),
        abort() {
          const session = sessions.get(entry);
          if (session) edge.fork(`stopping ${entry.title}`, () => session.abort(stopReasons.byPerson));
          else entry.panel.close();
        },
        panel: newPanel({
          toolName: tool.name,
          title: titleOf(tool),
          description: def.editor.userDescription ?? def.description,
          icon: def.icon,
          asker: shownAsker(asker),
          onStop: () => entry.abort(),
          onClosed: () => attention.closed(entry),
          onAction: (id) => act(entry, id),
        }),
      };
      calls.add(entry);
      return entry;
    },
    begin(entry, session) {
      sessions.set(entry, session);
      follow(session, entry.panel.store, {
        // From the events themselves, so that the log has them in their order.
        event(event) {
          if (event.type === 'log') log.call(entry.tool.name, event.level, event.message, event.data);
          if (event.type === 'error') log.error(`${entry.title} failed: ${event.error.message}`, event.error);
        },
        explain(end, lackedModel) {
          const traced = end.type === 'error' ? trace(end.error) : undefined;
          const facts = {
            lackedModel,
            hasLine: traced?.some(({ own }) => own.length > 0) ?? false,
            debuggable: bundles.registry.get(entry.tool.name)?.source.kind === 'workspace',
            own: entry.asker.kind === 'person',
          };
          return { ...explainEnd(end, vscode.l10n.t, facts), trace: traced };
        },
        ended(end) {
          // Whoever asked does not want it any more, and nobody else has ever looked.
          const { asker, panel } = entry;
          if (end.type === 'aborted' && asker.kind !== 'person' && !panel.lookedAt) panel.close();
        },
      });
    },
  };
}
