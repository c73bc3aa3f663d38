import { type Operation, until } from 'effection';
import { isPlugin, isTool } from '../core/plugin/guards.ts';
import { type Offer, toolOf } from '../core/plugin/offer.ts';
import type { Schema } from '../core/schema/schema.ts';
import type { AnyTool } from '../core/tool/tool.ts';
import { unlistedTool } from '../core/tool/tool-facts.ts';
import type { ToolDirectory } from '../runtime/context/tool-directory.ts';
import { UnusedDoubleError } from './script.ts';

/** What a call of another tool gives: a value, an error to throw, or a function of the parameters. */
export type ScriptedCall = unknown;

/** The tools that a tool calls, by the name it calls them by. */
export type CalledTools = Readonly<Record<string, Offer | ScriptedCall>>;

/** The tools of a test. */
export interface CalledDirectory {
  /** Tools are run, everything else is taken as what the call gives. */
  readonly find: ToolDirectory;
  /** @throws `UnusedDoubleError` for what stands for a tool that nobody called, where tools that nothing stands for have run */
  checkUsed(): void;
}

/** The directory of a test. */
export function directoryOf(calls: CalledTools): CalledDirectory {
  const used = new Set<string>();
  const ran = new Set<string>();
  const stands = (name: string) => !isTool(calls[name]) && !isPlugin(calls[name]);
  const find: ToolDirectory = (name, given) => {
    if (!Object.hasOwn(calls, name)) {
      if (given) ran.add(name);
      return given;
    }
    used.add(name);
    return stands(name) ? scriptedTool(name, calls[name], given) : (calls[name] as Offer);
  };
  return {
    find: Object.assign(find, { names: () => Object.keys(calls) }),
    checkUsed() {
      const unused = Object.keys(calls).find((name) => stands(name) && !used.has(name));
      if (unused !== undefined && ran.size > 0)
        throw new UnusedDoubleError('calls', unused, 'tool was called', ran);
    },
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
