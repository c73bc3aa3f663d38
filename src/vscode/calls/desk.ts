import { type Operation, spawn } from 'effection';
import * as vscode from 'vscode';
import { errorData } from '../../core/errors/error-data.ts';
import type { JsonObject } from '../../core/messages/json.ts';
import type { AnyPlugin } from '../../core/plugin/plugin.ts';
import type { AnyTool } from '../../core/tool/tool.ts';
import { stopReasons } from '../../panel-port/index.ts';
import { drive } from '../../runtime/drive/drive.ts';
import type { SessionManager } from '../../runtime/manager/manager.ts';
import type { Client } from '../../runtime/session/client.ts';
import type { EndEvent } from '../../runtime/session/events.ts';
import type { Session } from '../../runtime/session/session.ts';
import type { StackMaps } from '../../workspace/load/stack-maps.ts';
import type { Edge } from '../bridge.ts';
import { traceOf } from '../log/trace.ts';
import type { PanelHost } from '../panel/call-panel.ts';
import type { CallEntry, Origin } from './call-entry.ts';
import type { CallList } from './call-list.ts';
import { createEntry, type NewEntry } from './create-entry.ts';
import { createEditorClient, type EditorParts } from './editor-client.ts';
import { follow } from './follow.ts';
import { type EndAction, explainEnd } from './notices/explain.ts';
import { keepProgressShown } from './notices/progress.ts';
import { askParameters } from './parameters/ask-parameters.ts';
import type { LastParameters } from './parameters/last-parameters.ts';
import { asDefaults, takesNothing } from './parameters/parameters.ts';

/** What a person runs. */
export interface RunRequest {
  readonly tool: AnyTool;
  readonly plugin: AnyPlugin | undefined;
  /** The parameters, when they are settled: no form then. */
  readonly params?: JsonObject | undefined;
  /** What to fill in at first; what was given last time when absent. */
  readonly suggested?: JsonObject | undefined;
  /** What the person should know before running it; shown with the form. */
  readonly notice?: string | undefined;
}

/** Starts calls for a person, and gives calls of others a panel and a place in the list. */
export interface CallDesk {
  /** Runs all calls of this window, whoever asked for them. */
  readonly manager: SessionManager;
  /**
   * Run Tool…: the panel opens at once, in front; parameters first, then everything else. The end is absent when the
   * person closed the form. @throws `ParamsInvalidError` for settled parameters that do not fit.
   */
  run(request: RunRequest): Operation<{ readonly entry: CallEntry; readonly end: EndEvent | undefined }>;
  /** The client that answers a session of somebody else in the editor. Its panel opens with its first question. */
  adopt(session: Session, origin: Origin, model?: vscode.LanguageModelChat): Client;
}

/** What the desk works with. */
export interface DeskParts extends EditorParts {
  readonly manager: SessionManager;
  readonly calls: CallList;
  readonly panels: PanelHost;
  readonly edge: Edge;
  readonly stackMaps: Pick<StackMaps, 'frames'>;
  readonly lastParameters: LastParameters;
  /** Does what a button at the end of a call says. */
  onAction(entry: CallEntry, action: EndAction): void;
}

/** The desk of this window. */
export function createCallDesk(parts: DeskParts): CallDesk {
  const { manager, calls, edge, log, lastParameters, attention, stackMaps } = parts;

  const traceFor = (error: unknown) =>
    traceOf(error, { stackMaps, nameOf: (file) => vscode.workspace.asRelativePath(file) });
  const abort = (entry: CallEntry): void => {
    const session = entry.session();
    if (session) edge.fork(`stopping ${entry.title}`, () => session.abort(stopReasons.byPerson));
    else entry.panel.close();
  };
  const newEntry = (tool: AnyTool, origin: Origin): NewEntry => {
    const entry = createEntry(parts.panels, tool, origin, {
      abort,
      closed: attention.closed,
      action: (pressed, id) => parts.onAction(pressed, id as EndAction),
    });
    calls.add(entry);
    return entry;
  };
  const begin = (entry: NewEntry, session: Session): void => {
    entry.setSession(session);
    follow(session, entry.panel.store, {
      // From the events themselves, so that the log has them in their order.
      event(event) {
        if (event.type === 'log') log.call(entry.tool.name, event.level, event.message, event.data);
        if (event.type === 'error') log.error(`${entry.title} failed: ${event.error.message}`, event.error);
      },
      explain: (end, lackedModel) => ({
        ...(entry.origin === 'person' ? explainEnd(end, vscode.l10n.t, lackedModel) : {}),
        trace: end.type === 'error' ? traceFor(end.error) : undefined,
      }),
    });
  };

  function* start({ tool, plugin, params, suggested, notice }: RunRequest, entry: NewEntry) {
    const client = createEditorClient(entry, parts);
    const create = (given: JsonObject) =>
      manager.create({ tool: plugin ?? tool, params: given, capabilities: client.capabilities() });
    const schema = tool.def.parameters.json;
    const settled = params ?? (takesNothing(schema) ? {} : undefined);
    const last = asDefaults(schema, lastParameters.get(tool.name));
    const session = settled
      ? yield* create(settled)
      : yield* askParameters(entry, { values: suggested ?? last, notice }, function* (given) {
          const created = yield* create(given);
          lastParameters.set(tool.name, given);
          return created;
        });
    return session && { session, client };
  }

  return {
    manager,
    *run(request) {
      const entry = newEntry(request.tool, 'person');
      entry.panel.show();
      try {
        const started = yield* start(request, entry);
        if (!started) return { entry, end: undefined };
        begin(entry, started.session);
        yield* spawn(() => keepProgressShown(entry));
        return { entry, end: yield* drive(started.session, started.client, 'end') };
      } catch (error) {
        // The call never was: say so where the person looks.
        if (!entry.session()) {
          const ending = { trace: traceFor(error) };
          entry.panel.store.dispatch({ type: 'event', event: failure(error), ending });
        }
        throw error;
      } finally {
        if (!entry.session() && !entry.panel.open) calls.remove(entry);
      }
    },
    adopt(session, origin, model) {
      const entry = newEntry(session.tool, origin);
      begin(entry, session);
      if (model) parts.sampler.prefer(model);
      return createEditorClient(entry, parts, model);
    },
  };
}

function failure(error: unknown): EndEvent {
  return { at: 1, time: Date.now(), type: 'error', error: errorData(error) };
}
