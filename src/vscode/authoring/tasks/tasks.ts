import type { Operation } from 'effection';
import * as vscode from 'vscode';
import type { AnyTool } from '../../../core/tool/tool.ts';
import { type Edge, fromThenable, type Run, useDisposable } from '../../bridge.ts';
import { titleOf } from '../../calls/call-entry.ts';
import type { RunToolParts } from '../../calls/run/run-for-person.ts';
import { useEdge } from '../../contexts.ts';
import { taskType } from '../../ids.ts';
import { readToolTask } from './tool-task.ts';

/** What Ctrl+C sends, and what a program ends with that it stopped. */
const INTERRUPT = { input: '\u0003', exitCode: 130 } as const;

/** A terminal that shows an operation's lines, and ends with its exit code. Ctrl+C, and closing it, halt the operation. */
function createTaskTerminal(
  edge: Edge,
  work: (write: (line: string) => void) => Operation<number>,
): vscode.Pseudoterminal {
  const written = new vscode.EventEmitter<string>();
  const closed = new vscode.EventEmitter<number>();
  let running: Run<unknown> | undefined;
  const write = (line: string) => written.fire(`${line}\r\n`);
  return {
    onDidWrite: written.event,
    onDidClose: closed.event,
    open() {
      running = edge.fork('a task', function* () {
        try {
          closed.fire(yield* work(write));
        } catch (error) {
          write(error instanceof Error ? error.message : String(error));
          closed.fire(1);
        }
      });
    },
    handleInput(data) {
      if (data === INTERRUPT.input) void running?.halt().then(() => closed.fire(INTERRUPT.exitCode));
    },
    close: () => void running?.halt(),
  };
}

/**
 * Tasks of the type `parley`: a tool from `tasks.json`, with parameters in which the editor's variables (`${file}`) count. Those
 * of the workspace that need no parameters are listed by themselves.
 */
export function* useTasks(parts: RunToolParts): Operation<void> {
  const edge = yield* useEdge();
  const { tools } = parts;
  const run = (definition: vscode.TaskDefinition) =>
    createTaskTerminal(edge, function* (write) {
      const { runTask } = yield* fromThenable(import('./run-task.ts'));
      return yield* runTask(parts, readToolTask(definition), write);
    });
  const taskOf = (
    definition: vscode.TaskDefinition,
    scope: vscode.WorkspaceFolder | vscode.TaskScope,
    name: string,
  ) => {
    const execution = new vscode.CustomExecution(async (resolved) => run(resolved));
    return new vscode.Task(definition, scope, name, 'Parley', execution);
  };
  yield* useDisposable(() =>
    vscode.tasks.registerTaskProvider(taskType, {
      provideTasks: (token) =>
        edge.promise(function* () {
          yield* tools.loaded();
          return tools.registry
            .list()
            .filter(({ source, tool }) => source.kind === 'workspace' && requiresNothing(tool))
            .map(({ name, tool }) =>
              taskOf({ type: taskType, tool: name }, vscode.TaskScope.Workspace, titleOf(tool)),
            );
        }, token),
      resolveTask: ({ definition, scope, name }) =>
        taskOf(definition, scope ?? vscode.TaskScope.Workspace, name),
    }),
  );
}

function requiresNothing({ def }: AnyTool): boolean {
  const { required } = def.parameters.json;
  return !Array.isArray(required) || required.length === 0;
}
