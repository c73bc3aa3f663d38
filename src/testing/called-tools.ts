import { type Operation, until } from 'effection';
import { isPlugin, isTool } from '../core/plugin/guards.ts';
import { type Offer, toolOf } from '../core/plugin/offer.ts';
import type { Schema } from '../core/schema/schema.ts';
import { type AnyTool, unlistedTool } from '../core/tool/tool.ts';
import type { ToolDirectory } from '../runtime/context/tool-directory.ts';

/** What a call of another tool gives: a value, an error to throw, or a function of the parameters. */
export type ScriptedCall = unknown;

/** The tools that a tool calls, by the name it calls them by. */
export type CalledTools = Readonly<Record<string, Offer | ScriptedCall>>;

/** The directory of a test: tools are run, everything else is taken as what the call gives. */
export function directoryOf(calls: CalledTools): ToolDirectory {
  return (name, given) => {
    if (!Object.hasOwn(calls, name)) return given;
    const called = calls[name];
    return isTool(called) || isPlugin(called) ? called : scriptedTool(name, called, given);
  };
}

const anything: Schema = { '~standard': { version: 1, vendor: 'parley', validate: (value) => ({ value }) } };

/** A tool that gives what the script says; what it takes is checked as the tool that it stands for would. */
function scriptedTool(name: string, called: ScriptedCall, given: Offer | undefined): AnyTool {
  const of = given && toolOf(given).def;
  function* execute(params: unknown): Operation<unknown> {
    if (called instanceof Error) throw called;
    if (typeof called !== 'function') return called;
    const value: unknown = called(params);
    return value instanceof Promise ? yield* until(value) : value;
  }
  const parameters = of?.parameters ?? { schema: anything, json: { type: 'object' } };
  return unlistedTool({ name, description: of?.description ?? name, parameters }, execute);
}
