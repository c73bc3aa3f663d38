import type { Operation } from 'effection';
import type { JsonObject } from '../../../core/messages/json.ts';
import type { EndEvent } from '../../../runtime/session/events.ts';
import type { RegisteredTool } from '../../../workspace/registry/registered-tool.ts';
import { fromThenable } from '../../bridge.ts';
import { endedCall } from '../../calls/commands/meant-call.ts';
import { type RunArguments, readRunArguments } from '../../calls/parameters/parameters.ts';
import { createRecentTools } from '../../calls/parameters/recent-tools.ts';
import { known } from '../../calls/run/named-tool.ts';
import { type RunToolParts, runForPerson, toolAsItStands } from '../../calls/run/run-for-person.ts';
import type { RunRequest } from '../../calls/starting.ts';
import { useEdge, useExtension } from '../../contexts.ts';
import { commands } from '../../ids.ts';
import { useCommand } from '../../use-command.ts';
import { listedToolOf } from '../tools/tool-node.ts';
import { type PickedTool, pickTool, takeWithLast } from './pick-tool.ts';

/**
 * **Parley: Run Tool…**. By a person: pick, fill in, watch; failures show in the panel. With arguments, `(name, params?)` or
 * `({ tool, params?, show? })`: returns what the tool returned, and rejects when it failed, so that keybindings, tasks and other
 * extensions can use it.
 */
export function* useRunToolCommand(parts: RunToolParts): Operation<void> {
  for (const id of [commands.runTool, commands.runThisTool])
    yield* useCommand(id, (...args) => runByArguments(parts, args));

  yield* useCommand(commands.runWithLast, function* (node) {
    const written = typeof node === 'string';
    const name = written ? node : listedToolOf(node)?.registered.name;
    if (name === undefined) return undefined;
    return yield* runWithLast(parts, yield* known(parts.tools.registry, name), { written });
  });

  yield* useCommand(commands.takeWithLast, function* () {
    takeWithLast();
  });

  yield* useCommand(commands.runLastTool, () => runLast(parts));

  yield* useCommand(commands.runCallAgain, (...args) => runAgain(parts, args));

  yield* useCommand(commands.runCallKeeping, function* (argument, which) {
    const { runKeeping } = yield* fromThenable(import('./run-keeping.ts'));
    yield* runKeeping(parts, argument, which);
  });

  yield* useCommand(commands.saveAsTest, function* (argument) {
    const { saveAsTest } = yield* fromThenable(import('../tests/save-as-test.ts'));
    yield* saveAsTest(parts, argument);
  });

  yield* useCommand(commands.openTest, function* (argument) {
    const registered =
      typeof argument === 'string'
        ? yield* known(parts.tools.registry, argument)
        : listedToolOf(argument)?.registered;
    if (!registered) return;
    const { openTest } = yield* fromThenable(import('../tests/open-test.ts'));
    yield* openTest(parts.tools, registered);
  });
}

/** Runs the tool of an ended call once more, with the same parameters filled in. */
export function* runAgain(
  parts: RunToolParts,
  args: readonly unknown[],
  { prepare }: Pick<RunVariant, 'prepare'> = {},
): Operation<void> {
  const entry = yield* endedCall(parts, args[0]);
  if (!entry) return;
  const chosen = yield* known(parts.tools.registry, entry.toolName);
  const started = entry.panel.store.get().rows.find((row) => row.type === 'started');
  const { registered, notice } = yield* toolAsItStands(parts.tools, chosen);
  const suggested = started?.params;
  const debugged = prepare !== undefined;
  yield* runForPerson(parts, prepare ? yield* prepare(registered) : registered, {
    suggested,
    notice,
    debugged,
  });
}

/**
 * **Parley: Run Last Tool Again**: the tool that the person ran last, with the parameters that it had, and no form. Where they no
 * longer fit, or held what was not kept, the form opens with what there is; where nothing was run yet, the list of tools.
 */
function* runLast(parts: RunToolParts): Operation<unknown> {
  const { registry } = parts.tools;
  const { workspaceState } = yield* useExtension();
  const name = createRecentTools(workspaceState)
    .list()
    .find((recent) => registry.get(recent));
  if (name === undefined) return yield* runByArguments(parts, []);
  return yield* runWithLast(parts, yield* known(registry, name), { written: true });
}

/** Runs a tool with the parameters that it had last, and without a form where they still fit. */
function* runWithLast(
  parts: RunToolParts,
  chosen: RegisteredTool,
  by: Pick<RunRequest, 'written'> = {},
): Operation<unknown> {
  const { workspaceState } = yield* useExtension();
  const { registered, notice } = yield* toolAsItStands(parts.tools, chosen);
  // Loaded here: it brings along what messages to the page are checked with.
  const { parametersOfLastRun } = yield* fromThenable(import('../../calls/parameters/last-run.ts'));
  const params = yield* parametersOfLastRun(registered.tool, workspaceState);
  return yield* runForPerson(parts, registered, { params, notice, ...by });
}

/** What differs where a tool is not run as it is. */
export interface RunVariant {
  /** Which tools are picked from. */
  offers?(registered: RegisteredTool): boolean;
  /** Gives what is run in the place of a tool: a copy under the debugger. */
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
  const given = node ? { tool: node.registered.name, params: undefined } : readRunArguments(args);
  const { tool: name, unseen } = given;
  // An input of a task or a launch configuration runs commands with one argument, as a keybinding does.
  const written = !node && name !== undefined && args[1] === undefined;
  // Before anything is waited for: the person may go elsewhere meanwhile.
  const params = yield* withEditorsVariables(given);
  // What runs calls is loaded while the person picks.
  (yield* useEdge()).fork('loading what runs calls', parts.desk);
  if (name !== undefined && !tools.registry.get(name)) yield* tools.loaded();
  const picked: PickedTool | undefined =
    !node && name === undefined
      ? yield* pickTool(tools, { offers, withLast: prepare === undefined })
      : { registered: node?.registered ?? (yield* known(tools.registry, name ?? '')) };
  if (!picked) return undefined;
  const chosen = picked.registered;
  if (picked.withLast) return yield* runWithLast(parts, chosen);
  const { registered: asItIs, notice } = yield* toolAsItStands(tools, chosen);
  const registered = prepare ? yield* prepare(asItIs) : asItIs;
  const debugged = prepare !== undefined;
  if (params === undefined) {
    const { openFileFor } = yield* fromThenable(import('../run-on/open-file.ts'));
    const here = openFileFor(registered.tool);
    return yield* runForPerson(parts, registered, { here, notice, unseen, written, debugged });
  }
  const desk = yield* parts.desk();
  const { tool, plugin } = registered;
  const { end } = yield* desk.run({ tool, plugin, params, notice, unseen, written, debugged });
  return yield* returned(end);
}

/** The parameters of a keybinding, with what its variables stand for. What a program passes stays as it is. */
function* withEditorsVariables({ params, written }: RunArguments): Operation<JsonObject | undefined> {
  if (!params || !written) return params;
  const { hasVariables, withVariables } = yield* fromThenable(import('./variables.ts'));
  if (!hasVariables(params)) return params;
  const { editorVariables, sayUnset } = yield* fromThenable(import('./editor-variables.ts'));
  return withVariables(params, editorVariables(), sayUnset);
}

function* returned(end: EndEvent | undefined): Operation<unknown> {
  if (end?.type === 'result') return end.value;
  const { errorOfEnd } = yield* fromThenable(import('../../calls/run/error-of-end.ts'));
  throw errorOfEnd(end);
}
