import type { Operation } from 'effection';
import { OutputInvalidError, ParamsInvalidError } from '../../../core/errors/definition-errors.ts';
import { isParleyError, toError } from '../../../core/errors/errors.ts';
import { type Validation, validate } from '../../../core/schema/validate.ts';
import type { ToolContext } from '../../../core/tool/context.ts';
import type { AnyTool, ElicitDefinition, ToolRequirements } from '../../../core/tool/tool.ts';
import { borrowContext } from './borrowed-context.ts';

/** One step of a chain. */
export interface ChainStep {
  readonly tool: AnyTool;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** The argument that takes the result of the step before. */
  readonly pass: string | undefined;
}

/** What came of a step. */
interface StepResult {
  readonly tool: string;
  readonly result: unknown;
}

/**
 * A tool that runs others one after the other, in one call: each may ask, report and be cancelled as if it ran alone.
 * Stops at the first that fails, and says which one that was and what the ones before gave.
 */
export function chainTool(template: AnyTool, steps: readonly ChainStep[]): AnyTool {
  const elicits: Record<string, ElicitDefinition> = {};
  for (const [index, { tool }] of steps.entries()) {
    for (const [key, definition] of Object.entries(tool.def.elicits)) {
      const own = prefixOf(index) + key;
      elicits[own] = { ...definition, key: own };
    }
  }
  const def = {
    ...template.def,
    elicits,
    requires: allOf(steps.map(({ tool }) => tool.def.requires)),
    body: { kind: 'execute' as const, execute: (_params: unknown, ctx: ToolContext) => runChain(steps, ctx) },
  };
  return Object.freeze({ ...template, def: Object.freeze(def) });
}

function prefixOf(index: number): string {
  return `step${index + 1}_`;
}

function* runChain(steps: readonly ChainStep[], ctx: ToolContext): Operation<unknown> {
  const done: StepResult[] = [];
  for (const [index, step] of steps.entries()) {
    const { tool } = step;
    yield* ctx.log('debug', `step ${index + 1} of ${steps.length}: ${tool.name}`);
    const args =
      step.pass === undefined || index === 0
        ? step.arguments
        : { ...step.arguments, [step.pass]: done.at(-1)?.result };
    try {
      done.push({
        tool: tool.name,
        result: yield* runStep(tool, args, borrowContext(ctx, tool.name, prefixOf(index))),
      });
    } catch (thrown) {
      // The call is over: there is nothing to tell, and nobody to tell it to.
      if (isParleyError(thrown, 'CALL_ENDED')) throw thrown;
      return failed(done, index, tool.name, toError(thrown).message);
    }
  }
  return { steps: done };
}

function failed(done: readonly StepResult[], index: number, tool: string, message: string): unknown {
  const structuredContent = { steps: done, failed: { index, tool, message } };
  const text =
    `Step ${index} (counting from 0), ${tool}, failed: ${message}\n` +
    `The steps before it are done and gave: ${JSON.stringify(done)}\n` +
    'Do not run them again: go on from the step that failed.';
  return { content: [{ type: 'text', text }], structuredContent, isError: true };
}

function* runStep(tool: AnyTool, args: unknown, ctx: ToolContext): Operation<unknown> {
  const checked: Validation<unknown> = yield* validate(tool.def.parameters.schema, args);
  if (!checked.ok) throw new ParamsInvalidError(tool.name, checked.problem);
  const returned = yield* runBody(tool, checked.value, ctx);
  if (!tool.def.output) return returned ?? null;
  const output: Validation<unknown> = yield* validate(tool.def.output.schema, returned);
  if (!output.ok) throw new OutputInvalidError(tool.name, output.problem);
  return output.value;
}

function* runBody({ def: { body } }: AnyTool, params: unknown, ctx: ToolContext): Operation<unknown> {
  if (body.kind === 'execute') return yield* body.execute(params, ctx);
  const { before, client, after } = body.phases;
  const handoff = yield* before(params, ctx);
  const result = yield* client(handoff, ctx, params);
  return yield* after(handoff, result, ctx, params);
}

/** A chain requires what any of its steps does: before the first step runs. */
function allOf(all: readonly ToolRequirements[]): ToolRequirements {
  const tools = all.some(({ sampling }) => typeof sampling === 'object' && sampling.tools);
  return {
    elicitation: all.some(({ elicitation }) => elicitation === true),
    sampling: tools ? { tools: true } : all.some(({ sampling }) => Boolean(sampling)),
    roots: all.some(({ roots }) => roots === true),
    editor: all.some(({ editor }) => editor === true),
  };
}
