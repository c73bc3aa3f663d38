import { createMcpPrompt, createMcpRegistry, createMcpTool } from 'parley-mcp';
import * as z from 'zod';

const nothing = z.object({});

/** Tools and prompts that come and go. */
export const changing = createMcpRegistry();

let changes = 0;

function extraTool() {
  return createMcpTool(`test_extra_tool_${changes}`)
    .description('Came while the server was running')
    .parameters(nothing)
    .elicits({})
    .execute(function* () {
      return 'extra';
    });
}

function extraPrompt() {
  return createMcpPrompt(`test_extra_prompt_${changes}`)
    .description('Came while the server was running')
    .arguments(nothing)
    .elicits({})
    .messages(function* () {
      return 'extra';
    });
}

export const triggerToolChange = createMcpTool('test_trigger_tool_change')
  .description('Adds a tool and takes the one before away')
  .parameters(nothing)
  .elicits({})
  .execute(function* () {
    changes += 1;
    changing.set([...changing.list().filter((one) => !isTool(one)), extraTool()]);
    return 'changed';
  });

export const triggerPromptChange = createMcpTool('test_trigger_prompt_change')
  .description('Adds a prompt and takes the one before away')
  .parameters(nothing)
  .elicits({})
  .execute(function* () {
    changes += 1;
    changing.set([...changing.list().filter(isTool), extraPrompt()]);
    return 'changed';
  });

function isTool(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'parley.tool';
}

export const needsSampling = createMcpTool('test_missing_capability')
  .description('Runs only where there is a model')
  .parameters(nothing)
  .requires({ sampling: true })
  .elicits({})
  .execute(function* () {
    return 'there is a model';
  });

export const streaming = createMcpTool('test_streaming_elicitation')
  .description('Reports progress, then asks')
  .parameters(nothing)
  .elicits({ confirm: z.object({ ok: z.boolean() }) })
  .execute(function* (_params, ctx) {
    yield* ctx.notify('about to ask');
    yield* ctx.elicit('confirm', { message: 'Go on?' });
    return 'went on';
  });
