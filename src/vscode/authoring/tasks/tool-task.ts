import type { JsonObject } from '../../../core/messages/json.ts';
import { readRunArguments } from '../../calls/parameters/parameters.ts';

/** What a task of `tasks.json` runs: a tool, with parameters in which the editor has put its variables. */
export interface ToolTask {
  readonly tool: string;
  /** Absent: asked for, where the tool needs any. */
  readonly params: JsonObject | undefined;
}

/** Reads the definition of a task. @throws with what it lacks. */
export function readToolTask(definition: Readonly<Record<string, unknown>>): ToolTask {
  if (typeof definition.tool !== 'string' || definition.tool === '') {
    throw new TypeError('A task of the type “parley” says which tool it runs: "tool": "NAME".');
  }
  const { params } = readRunArguments([definition.tool, definition.params]);
  return { tool: definition.tool, params };
}
