import type { Operation } from 'effection';
import * as vscode from 'vscode';
import type { AnyTool } from '../../../core/tool/tool.ts';
import { fromThenable, useDisposable } from '../../bridge.ts';
import { titleOf } from '../../calls/call-entry.ts';
import type { RunToolParts } from '../../calls/run/run-for-person.ts';
import { useEdge } from '../../contexts.ts';
import { taskType } from '../../ids.ts';
import { createTaskTerminal } from './task-terminal.ts';
import { readToolTask } from './tool-task.ts';

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
