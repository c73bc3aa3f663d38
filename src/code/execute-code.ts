import type { Operation } from 'effection';
import * as z from 'zod';
import { createMcpTool } from '../core/tool/create-mcp-tool.ts';
import { questions } from './approval/questions.ts';
import type { CodeTools } from './run/code-tools.ts';
import { runCode } from './run/run-code.ts';
import type { CodeReport } from './run/trace.ts';
import type { CodeEngine } from './sandbox/engine.ts';

/** What `execute_code` is made with. */
export interface ExecuteCodeParts {
  readonly tools: CodeTools;
  /** What runs the code. */
  engine(): Operation<CodeEngine>;
  /** Whether the person answers in the editor, whatever the client that calls could answer. */
  readonly inEditor?: boolean;
}

const DESCRIPTION =
  'Runs JavaScript or TypeScript that calls tools, and returns its result. Use it when a task takes several calls, or needs ' +
  'only a part of what they return: loops, filters, joins and counts belong in the code, not in the conversation.\n' +
  '`await tools.NAME(arguments)` (or `tools["NAME"]`) returns the result of a tool, and throws if the tool fails; find names with ' +
  'search_tools, and read their TypeScript declarations with describe_tool before you use them.\n' +
  'The code is the body of an async function: `return` what you need, as JSON and no more than that. What it prints with ' +
  'console.log comes back, too. There is no network, no file, no clock, no timer, no import, and nothing is kept from one run to the ' +
  'next.\n' +
  'Calls that can make changes are shown to the user first, in one table: make them together with Promise.all, so that the ' +
  'user is asked once. The user can edit their arguments. A call that the user does not allow throws: catch that where the ' +
  'rest should continue, and do not try the call again. "calls" lists what ran; "edited" holds the arguments as the user edited them.';

/** The tool through which a model writes code in place of calling tools one by one. */
export function createExecuteCode({ tools, engine, inEditor = false }: ExecuteCodeParts) {
  return createMcpTool('execute_code')
    .description(DESCRIPTION)
    .parameters(
      z.object({
        code: z
          .string()
          .min(1)
          .max(200_000)
          .describe('The body of an async function, in JavaScript or TypeScript.')
          .meta({ title: 'Code', multiline: true }),
      }),
    )
    .annotations({ readOnlyHint: false })
    .title('Execute Code')
    .icon('code')
    .summary('Lets the agent call tools from code. Calls that can make changes are approved in one table.')
    .editor({ tags: ['code', 'tools'], reference: 'executeCode' })
    .requires(inEditor ? { editor: true } : {})
    .elicits(questions)
    .execute(function* ({ code }, ctx) {
      return resultOf(yield* runCode(code, { engine: yield* engine(), tools, ctx }));
    });
}

/** The tool that runs code. */
export type ExecuteCode = ReturnType<typeof createExecuteCode>;

/** A failure is an error for the caller, with all that is known of it. */
function resultOf(report: CodeReport): unknown {
  if (report.status === 'done') return report;
  const text = JSON.stringify(report, undefined, 2);
  return { content: [{ type: 'text', text }], structuredContent: report, isError: true };
}
