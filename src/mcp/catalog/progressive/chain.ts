import type { Operation } from 'effection';
import { isParleyError, toError } from '../../../core/errors/errors.ts';
import { toolOf } from '../../../core/plugin/offer.ts';
import { defined } from '../../../core/schema/defined.ts';
import type { ToolContext } from '../../../core/tool/context.ts';
import type { AnyTool, ToolRequirements } from '../../../core/tool/tool.ts';
import { onlyReads } from '../../../runtime/policy/only-reads.ts';
import { modesOf } from '../../../runtime/session/capabilities.ts';
import type { Served } from '../catalog.ts';

/** One step of a chain. */
export interface ChainStep {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** The argument that receives the result of the previous step. */
  readonly pass?: string | undefined;
}

/** A tool, as it is when its turn comes. */
export interface StepTool {
  readonly served: Served;
  /** What whoever called should know of the version that runs. */
  readonly note?: string | undefined;
}

/** The tools of a chain. */
export interface ChainTools {
  /** Those that are there before the first step. */
  readonly known: readonly Served[];
  /**
   * The tool of a step whose turn it is.
   *
   * @param changed whether a step before may have changed which tools there are
   * @throws where there is none
   */
  find(name: string, changed: boolean): Operation<StepTool>;
}

/** What came of a step. */
interface StepResult {
  readonly tool: string;
  readonly result: unknown;
  readonly note?: string;
}

/**
 * A tool that runs others one after the other, in one call: each may ask, report and be cancelled as if it ran alone.
 * Stops at the first that fails, and says which one that was and what the ones before gave.
 */
export function chainTool(template: AnyTool, steps: readonly ChainStep[], tools: ChainTools): AnyTool {
  const execute = (_params: unknown, ctx: ToolContext) => runChain(steps, tools, ctx);
  const def = {
    ...template.def,
    requires: allOf(tools.known.map((served) => toolOf(served).def.requires)),
    body: { kind: 'execute' as const, execute },
  };
  return Object.freeze({ ...template, def: Object.freeze(def) });
}

function* runChain(steps: readonly ChainStep[], tools: ChainTools, ctx: ToolContext): Operation<unknown> {
  const done: StepResult[] = [];
  let changed = false;
  for (const [index, step] of steps.entries()) {
    const { name } = step;
    yield* ctx.log('debug', `step ${index + 1} of ${steps.length}: ${name}`);
    const params =
      step.pass === undefined || index === 0
        ? step.arguments
        : { ...step.arguments, [step.pass]: done.at(-1)?.result };
    try {
      const { served, note }: StepTool = yield* tools.find(name, changed);
      if (!onlyReads(toolOf(served))) changed = true;
      const result: unknown = yield* ctx.call(served, params);
      done.push({ tool: name, result: result ?? null, ...defined({ note }) });
    } catch (thrown) {
      // The call is over: there is nothing to tell, and nobody to tell it to.
      if (isParleyError(thrown, 'CALL_ENDED')) throw thrown;
      return failed(done, index, name, toError(thrown).message);
    }
  }
  return { steps: done };
}

function failed(done: readonly StepResult[], index: number, tool: string, message: string): unknown {
  const structuredContent = { steps: done, failed: { index, tool, message } };
  const text =
    `Step ${index} (counting from 0), ${tool}, failed: ${message}\n` +
    `The steps before it are done and gave: ${JSON.stringify(done)}\n` +
    'Do not run them again: continue from the step that failed.';
  return { content: [{ type: 'text', text }], structuredContent, isError: true };
}

/** A chain requires what any of its steps does, as far as they are there: before the first step runs. */
function allOf(all: readonly ToolRequirements[]): ToolRequirements {
  const tools = all.some(({ sampling }) => typeof sampling === 'object' && sampling.tools);
  const asks = all.map(({ elicitation }) => modesOf(elicitation));
  const form = asks.some((modes) => modes.form);
  return {
    elicitation: asks.some((modes) => modes.url) ? { ...(form ? { form: true } : {}), url: true } : form,
    sampling: tools ? { tools: true } : all.some(({ sampling }) => Boolean(sampling)),
    roots: all.some(({ roots }) => roots === true),
    editor: all.some(({ editor }) => editor === true),
  };
}
