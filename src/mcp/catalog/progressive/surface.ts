import type { Operation } from 'effection';
import { toolOf } from '../../../core/plugin/offer.ts';
import { defined } from '../../../core/schema/defined.ts';
import { isObject } from '../../../core/schema/is-object.ts';
import type { AnyTool } from '../../../core/tool/tool.ts';
import { onlyReads } from '../../../runtime/policy/only-reads.ts';
import type { Caller } from '../../caller.ts';
import { Index, type Served } from '../catalog.ts';
import type { CatchUp, CodeSurface, Surface, SurfaceOptions } from '../surface.ts';
import { approvedTool } from './approved-tool.ts';
import { chainTool } from './chain.ts';
import { codeTools, progressiveTools, RunChainParams, RunToolParams, unknownTool } from './tools.ts';

/**
 * A surface that lists a handful of tools in the place of very many: clients search, read and run through them. The
 * others stay callable by their names.
 *
 * @param offered the tools that a caller may use
 */
export function createProgressiveSurface(
  offered: (caller: Caller) => Index<Served>,
  { above = 0, approve, code, withCode = 'alone', catchUp }: SurfaceOptions,
): Surface {
  const made = new WeakMap<
    Index<Served>,
    { readonly mode: CodeSurface | undefined; readonly index: Index<Served> }
  >();

  /** The few tools in the place of all; `undefined` for a catalogue that is shown as it is. */
  function shown(all: Index<Served>, caller: Caller): Index<Served> | undefined {
    return code?.() || all.items.length > above ? few(all, caller) : undefined;
  }

  function few(all: Index<Served>, caller: Caller): Index<Served> {
    const mode = code?.();
    const known = made.get(all);
    if (known && known.mode === mode) return known.index;
    const tools = all.items.map(toolOf);
    const searching =
      mode && withCode === 'alone' ? codeTools(tools, mode.declare) : progressiveTools(tools, mode);
    const inPlace = mode ? [...searching, mode.tool(asOffered(caller))] : searching;
    const index = new Index<Served>(inPlace, (served) => toolOf(served).name);
    made.set(all, { mode, index });
    return index;
  }

  /** The tools that code calls, as they are by then. */
  const asOffered = (caller: Caller) => ({
    get: (name: string) => offered(caller).get(name),
    ...defined({ catchUp }),
  });

  /**
   * The tool of ours that has this name. A client that has learnt to run tools through it goes on to where the catalogue has become small
   * enough to be listed as it is, or is so on the replica that it has come to: only a tool of that name is before it there.
   */
  function own(all: Index<Served>, caller: Caller, name: string): Served | undefined {
    const listed = shown(all, caller);
    return listed ? listed.get(name) : all.get(name) ? undefined : few(all, caller).get(name);
  }

  /** The tools that a call runs, as far as that is known before it runs. */
  function called(caller: Caller, name: string, args: unknown): readonly string[] {
    if (!own(offered(caller), caller, name)) return [name];
    if (name === 'run_tool') return namesIn([args]);
    if (name === 'run_chain' && isObject(args) && Array.isArray(args.steps)) return namesIn(args.steps);
    return [];
  }

  /** A tool as it runs inside another one. */
  const inner = (served: Served) => (approve ? approvedTool(served, approve) : served);

  /** Whether calls of these tools may bring another one: where tools change while they are served, and one does more than read. */
  const mayBring = (caller: Caller, names: readonly string[]) =>
    catchUp !== undefined &&
    names.some((name) => {
      const served = offered(caller).get(name);
      return served !== undefined && !onlyReads(toolOf(served));
    });

  /** The tool that runs these steps; `undefined` when one of them is not there and cannot come: then nothing is run at all. */
  function resolveChain(caller: Caller, template: AnyTool, args: unknown): AnyTool | undefined {
    const parsed = RunChainParams.safeParse(args);
    if (!parsed.success) return undefined;
    const { steps } = parsed.data;
    const names = steps.map(({ name }) => name);
    const known = names.flatMap((name) => offered(caller).get(name) ?? []);
    const isMissing = (name: string, index: number) =>
      !offered(caller).get(name) && !mayBring(caller, names.slice(0, index));
    if (names.some(isMissing)) return undefined;
    return chainTool(template, steps, {
      known,
      *find(name, changed) {
        const note = changed && catchUp ? yield* catchUp(name) : undefined;
        const served = offered(caller).get(name);
        if (!served) throw unknownTool(name);
        return { served: inner(served), note };
      },
    });
  }

  return {
    listed(caller) {
      const all = offered(caller);
      return shown(all, caller) ?? all;
    },
    ...defined({ catchUp: catchUp && caughtUp(catchUp, called, mayBring) }),
    resolve(caller, name, args) {
      const all = offered(caller);
      const ours = own(all, caller, name);
      const served = ours ?? all.get(name);
      if (!served) return undefined;
      if (!ours) return { served, args };
      if (name === 'run_tool') return resolveRun(all, args, inner) ?? { served, args };
      if (name === 'run_chain') return { served: resolveChain(caller, toolOf(served), args) ?? served, args };
      return { served, args };
    },
  };
}

/** What there is to know of all that is called, once. */
function caughtUp(
  catchUp: CatchUp,
  called: (caller: Caller, name: string, args: unknown) => readonly string[],
  mayBring: (caller: Caller, names: readonly string[]) => boolean,
): NonNullable<Surface['catchUp']> {
  return function* (caller, name, args): Operation<string | undefined> {
    const notes = new Set<string>();
    const names = called(caller, name, args);
    for (const [index, one] of names.entries()) {
      try {
        const note = yield* catchUp(one);
        if (note !== undefined) notes.add(note);
      } catch (error) {
        // It is looked for again when its turn comes.
        if (!mayBring(caller, names.slice(0, index))) throw error;
      }
    }
    return notes.size === 0 ? undefined : [...notes].join('\n');
  };
}

function namesIn(calls: readonly unknown[]): readonly string[] {
  const names = calls.map((call) => (isObject(call) ? call.name : undefined));
  return [...new Set(names.filter((name) => typeof name === 'string'))];
}

function resolveRun(
  all: Index<Served>,
  args: unknown,
  inner: (served: Served) => Served,
): { served: Served; args: unknown } | undefined {
  const parsed = RunToolParams.safeParse(args);
  const served = parsed.success ? all.get(parsed.data.name) : undefined;
  return served && { served: inner(served), args: parsed.data?.arguments };
}
