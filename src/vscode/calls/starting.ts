import type { Operation } from 'effection';
import type { JsonObject } from '../../core/messages/json.ts';
import type { AnyPlugin } from '../../core/plugin/plugin.ts';
import type { AnyTool } from '../../core/tool/tool.ts';
import type { SessionManager } from '../../runtime/manager/manager.ts';
import { insideOf } from '../../runtime/policy/call-policy.ts';
import type { Session } from '../../runtime/session/session.ts';
import { isStandIn } from '../../workspace/load/stand-ins.ts';
import { setting } from '../setting.ts';
import { type CallEntry, hasEnded } from './call-entry.ts';
import type { CallList } from './call-list.ts';
import { editorCapabilities } from './editor/editor-capabilities.ts';
import type { EntriesParts } from './entries.ts';
import { runPlace } from './panel/run-place.ts';
import { isInEditor, isPinned } from './panel/tabs/run-tabs.ts';
import { askParameters } from './parameters/ask-parameters.ts';
import type { createLastParameters } from './parameters/last-parameters.ts';
import { asDefaults, needsNothing, takesNothing } from './parameters/parameters.ts';
import type { Remembered } from './remembering.ts';

/** What a person runs. */
export interface RunRequest {
  readonly tool: AnyTool;
  readonly plugin: AnyPlugin | undefined;
  /** The parameters, when they are settled: no form then. */
  readonly params?: JsonObject | undefined;
  /** What to fill in at first; what was given last time when absent. */
  readonly suggested?: JsonObject | undefined;
  /** What is known from where the person is: filled in over what was given last time. */
  readonly here?: JsonObject | undefined;
  /** Answers of the call that began then, which are given where the same is asked. */
  readonly remembered?: (Remembered & { readonly began: number }) | undefined;
  /** What the person should know about what runs: shown with the form, and in what the call tells. */
  readonly notice?: string | undefined;
  /** The panel stays away until something is asked in it. */
  readonly unseen?: boolean | undefined;
  /** A file may have asked for it, such as a task, or an input of one: a server's tool is asked about where no form is shown. */
  readonly written?: boolean | undefined;
  /** It runs under the debugger, which says so and stops it: a call that stands at a breakpoint does not work on unseen. */
  readonly debugged?: boolean | undefined;
}

/** What calls of the person are started with. */
export interface StartingParts extends Pick<EntriesParts, 'calls' | 'registry'> {
  readonly manager: SessionManager;
  readonly lastParameters: ReturnType<typeof createLastParameters>;
}

/** Starts what the person runs, once its parameters are known: with a form for them, where one is needed. Nothing where the person gives none. */
export function createStarting({
  manager,
  calls,
  registry,
  lastParameters,
}: StartingParts): (request: RunRequest, entry: CallEntry) => Operation<Session | undefined> {
  /** Whether code of the workspace runs where all extensions do. */
  const sharesThread = (tool: AnyTool) =>
    !isStandIn(tool) && registry.get(tool.name)?.source.kind === 'workspace';

  return function* (request, entry) {
    const { tool, plugin, params, here, notice, unseen, debugged } = request;
    const create = function* (given: JsonObject) {
      // Whatever such a tool does to this thread, the person sees what runs, and the list of tools is gone.
      if (!unseen && sharesThread(tool)) yield* entry.panel.inSight();
      return yield* manager.create({ tool: plugin ?? tool, params: given, capabilities: editorCapabilities });
    };
    const schema = tool.def.parameters.json;
    const last = asDefaults(schema, lastParameters.get(tool.name));
    // An empty form asks for nothing: it comes with Run Again…, when there is something to change.
    const values = request.suggested ?? (here ? { ...last, ...here } : last);
    const atOnce = takesNothing(schema) || (!values && !notice && needsNothing(schema));
    const settled = params ?? (atOnce ? {} : undefined);
    if (settled) {
      return request.written ? yield* insideOf(() => create(settled)) : yield* create(settled);
    }
    if (unseen) showInPlace(calls, entry);
    return yield* askParameters(entry, tool, { values, notice, debugged }, function* (given) {
      const created = yield* create(given);
      lastParameters.set(tool.name, given);
      return created;
    });
  };
}

/** Shows the panel of a call that the person has begun. */
export function showInPlace(calls: CallList, { panel, toolName, title }: CallEntry): void {
  const earlier = calls.list().flatMap((one) => {
    const done = one.asker.kind === 'person' && hasEnded(one);
    return one.panel === panel ? [] : [{ panel: one.panel, toolName: one.toolName, done }];
  });
  const { place, instead } = runPlace(toolName, earlier, {
    location: setting('parley.panel.location'),
    inEditor: isInEditor(),
    pinned: (column) => isPinned(title, column),
  });
  panel.show(place);
  // Not before: a column without tabs closes.
  instead?.close();
}
