import type { Operation } from 'effection';
import * as vscode from 'vscode';
import type { EndEvent } from '../../runtime/session/events.ts';
import type { RegisteredTool } from '../../workspace/registry/registered-tool.ts';
import type { ToolRegistry } from '../../workspace/registry/registry.ts';
import { fromThenable } from '../bridge.ts';
import { type CallEntry, hasEnded } from '../calls/call-entry.ts';
import type { CallList } from '../calls/call-list.ts';
import type { CallDesk, RunRequest } from '../calls/desk.ts';
import { readRunArguments } from '../calls/parameters/parameters.ts';
import { createRecentTools } from '../calls/parameters/recent-tools.ts';
import { useEdge, useHome, useLog } from '../contexts.ts';
import type { FindCall } from '../history/call-finder.ts';
import { commands } from '../ids.ts';
import type { Lazy } from '../lazy.ts';
import { listedToolOf } from '../trees/tool-node.ts';
import type { CurrentTool } from '../workspace/current-tool.ts';
import type { ToolPort } from '../workspace/tool-port.ts';
import { pickTool } from './pick-tool.ts';
import { useCommand } from './use-command.ts';

/** What running a tool takes. */
export interface RunToolParts {
  readonly desk: Lazy<CallDesk>;
  readonly calls: CallList;
  readonly tools: ToolPort;
  readonly find: FindCall;
}

/**
 * **Parley: Run Tool…**. By a person: pick, fill in, watch; failures show in the panel. With arguments, `(name, params?)` or
 * `({ tool, params? })`: returns what the tool returned, and rejects when it failed, so that keybindings, tasks and other
 * extensions can use it.
 */
export function* useRunToolCommand(parts: RunToolParts): Operation<void> {
  yield* useCommand(commands.runTool, (...args) => runByArguments(parts, args));

  yield* useCommand(commands.runLastTool, () => runLast(parts));

  yield* useCommand(commands.runCallAgain, (...args) => runAgain(parts, args));

  yield* useCommand(commands.runCallKeeping, function* (argument) {
    const { runKeeping } = yield* fromThenable(import('./run-keeping.ts'));
    yield* runKeeping(parts, argument);
  });
}

/** Runs the tool of an ended call once more, with the same parameters filled in. */
export function* runAgain(
  parts: RunToolParts,
  args: readonly unknown[],
  { prepare }: Pick<RunVariant, 'prepare'> = {},
): Operation<void> {
  const entry = yield* parts.find(args[0]);
  const chosen = entry && known(parts.tools.registry, entry.toolName);
  if (!chosen || !hasEnded(entry)) return;
  const started = entry.panel.store.get().rows.find((row) => row.type === 'started');
  const { registered, notice } = yield* current(parts.tools, chosen);
  const suggested = started?.params;
  yield* runForPerson(parts, prepare ? yield* prepare(registered) : registered, { suggested, notice });
}

/**
 * **Parley: Run Last Tool Again**: the tool that the person ran last, with the parameters that it had, and no form. Where they no
 * longer fit, or held what was not kept, the form opens with what there is; where nothing was run yet, the list of tools.
 */
function* runLast(parts: RunToolParts): Operation<unknown> {
  const { registry } = parts.tools;
  const { workspaceState } = yield* useHome();
  const name = createRecentTools(workspaceState)
    .list()
    .find((recent) => registry.get(recent));
  if (name === undefined) return yield* runByArguments(parts, []);
  const { registered, notice } = yield* current(parts.tools, known(registry, name));
  // Loaded here: it brings along what messages to the page are checked with.
  const { parametersOfLastRun } = yield* fromThenable(import('../calls/parameters/last-run.ts'));
  const params = yield* parametersOfLastRun(registered.tool, workspaceState);
  return yield* runForPerson(parts, registered, params ? { params } : { notice });
}

/** What differs where a tool is not run as it is. */
export interface RunVariant {
  /** Which tools are picked from. */
  offers?(registered: RegisteredTool): boolean;
  /** Gives what is run in the place of a tool. */
  prepare?(registered: RegisteredTool): Operation<RegisteredTool>;
}

/** Runs the tool that a command was called with, or one that the person picks. */
export function* runByArguments(
  parts: RunToolParts,
  args: readonly unknown[],
  { offers, prepare }: RunVariant = {},
): Operation<unknown> {
  const { tools } = parts;
  const node = listedToolOf(args[0]);
  const { tool: name, params } = node
    ? { tool: node.registered.name, params: undefined }
    : readRunArguments(args);
  // What runs calls is loaded while the person picks.
  (yield* useEdge()).fork('loading what runs calls', parts.desk);
  if (name !== undefined && !tools.registry.get(name)) yield* tools.loaded();
  const chosen =
    node?.registered ?? (name === undefined ? yield* pickTool(tools, offers) : known(tools.registry, name));
  if (!chosen) return undefined;
  const { registered: asItIs, notice } = yield* current(tools, chosen);
  const registered = prepare ? yield* prepare(asItIs) : asItIs;
  if (params === undefined) return yield* runForPerson(parts, registered, { notice });
  const desk = yield* parts.desk();
  const { end } = yield* desk.run({ tool: registered.tool, plugin: registered.plugin, params });
  return yield* returned(end);
}

/** Runs a tool whose failures the panel shows: nothing is thrown at VS Code, which would say them a second time. */
export function* runForPerson(
  { desk }: Pick<RunToolParts, 'desk'>,
  { tool, plugin }: Pick<RegisteredTool, 'tool' | 'plugin'>,
  form: Pick<RunRequest, 'params' | 'suggested' | 'notice' | 'remembered'> = {},
): Operation<unknown> {
  createRecentTools((yield* useHome()).workspaceState).used(tool.name);
  try {
    const { entry, end } = yield* (yield* desk()).run({ tool, plugin, ...form });
    if (end?.type === 'error' && !entry.panel.visible) {
      (yield* useEdge()).fork('the notification of a failed call', () => sayFailed(entry, end.error.message));
    }
    return end?.type === 'result' ? end.value : undefined;
  } catch (error) {
    (yield* useLog()).error(`${tool.name} could not be run`, error);
    return undefined;
  }
}

/** The tool as it stands in the editor. Loaded here: until something runs, nobody needs it. */
export function* current(tools: ToolPort, chosen: RegisteredTool): Operation<CurrentTool> {
  const { currentTool } = yield* fromThenable(import('../workspace/current-tool.ts'));
  return yield* currentTool(tools, chosen);
}

function* sayFailed(entry: CallEntry, message: string): Operation<void> {
  const show = vscode.l10n.t('Show');
  const text = vscode.l10n.t('{0} failed: {1}', entry.title, message);
  const pressed = yield* fromThenable(vscode.window.showErrorMessage(text, show));
  if (pressed === show) entry.panel.show();
}

function* returned(end: EndEvent | undefined): Operation<unknown> {
  if (end?.type === 'result') return end.value;
  const { errorOfEnd } = yield* fromThenable(import('./error-of-end.ts'));
  throw errorOfEnd(end);
}

/** @throws with the names there are, for whoever wrote a keybinding. */
export function known(registry: ToolRegistry, name: string): RegisteredTool {
  const registered = registry.get(name);
  if (registered) return registered;
  const names = registry
    .list()
    .map((tool) => tool.name)
    .join(', ');
  throw new Error(
    names === ''
      ? vscode.l10n.t('There is no tool “{0}”: there are no tools at all.', name)
      : vscode.l10n.t('There is no tool “{0}”. There are: {1}.', name, names),
  );
}
