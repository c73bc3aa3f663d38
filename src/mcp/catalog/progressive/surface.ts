import { toolOf } from '../../../core/plugin/offer.ts';
import type { AnyTool } from '../../../core/tool/tool.ts';
import type { Caller } from '../../caller.ts';
import { Index, type Served } from '../catalog.ts';
import type { CodeSurface, Surface, SurfaceOptions } from '../surface.ts';
import { approvedTool } from './approved-tool.ts';
import { type ChainStep, chainTool } from './chain.ts';
import { codeTools, progressiveTools, RunChainParams, RunToolParams } from './tools.ts';

/**
 * A surface that lists a handful of tools in the place of very many: clients search, read and run through them. The
 * others stay callable by their names.
 *
 * @param offered the tools that a caller may use
 */
export function createProgressiveSurface(
  offered: (caller: Caller) => Index<Served>,
  { above = 0, approve, code }: SurfaceOptions,
): Surface {
  const made = new WeakMap<
    Index<Served>,
    { readonly mode: CodeSurface | undefined; readonly index: Index<Served> }
  >();

  /** The few tools in the place of all; `undefined` for a catalogue that is shown as it is. */
  function shown(all: Index<Served>): Index<Served> | undefined {
    const mode = code?.();
    if (!mode && all.items.length <= above) return undefined;
    const known = made.get(all);
    if (known && known.mode === mode) return known.index;
    const tools = all.items.map(toolOf);
    const few = mode ? [...codeTools(tools, mode.declare), mode.tool(all)] : progressiveTools(tools);
    const index = new Index<Served>(few, (served) => toolOf(served).name);
    made.set(all, { mode, index });
    return index;
  }

  /** A tool as it runs inside another one. */
  const inner = (served: Served) => (approve ? approvedTool(served, approve) : served);

  return {
    listed(caller) {
      const all = offered(caller);
      return shown(all) ?? all;
    },
    resolve(caller, name, args) {
      const all = offered(caller);
      const own = shown(all)?.get(name);
      const served = own ?? all.get(name);
      if (!served) return undefined;
      if (!own) return { served, args };
      if (name === 'run_tool') return resolveRun(all, args, inner) ?? { served, args };
      if (name === 'run_chain')
        return { served: resolveChain(all, toolOf(served), args, inner) ?? served, args };
      return { served, args };
    },
  };
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

/** The tool that runs these steps; `undefined` when one of them is not there: then nothing is run at all. */
function resolveChain(
  all: Index<Served>,
  template: AnyTool,
  args: unknown,
  inner: (served: Served) => Served,
): AnyTool | undefined {
  const parsed = RunChainParams.safeParse(args);
  if (!parsed.success) return undefined;
  const steps: ChainStep[] = [];
  for (const { name, arguments: given, pass } of parsed.data.steps) {
    const served = all.get(name);
    if (!served) return undefined;
    steps.push({ served: inner(served), arguments: given, pass });
  }
  return chainTool(template, steps);
}
