import * as z from 'zod';
import type { ToolContext } from '../../core/tool/context.ts';

/** A call in the table. */
export const approvalRow = z.object({
  /** Names the row in the answer. */
  id: z.string(),
  tool: z.string(),
  title: z.string(),
  /** JSON, to read and to edit. */
  arguments: z.string(),
  ticked: z.boolean(),
  /** The tool says that it can destroy something. */
  destructive: z.boolean(),
  /** What is wrong with what was made of its arguments. */
  problem: z.string().optional(),
});

/** A call in the table. */
export type ApprovalRow = z.infer<typeof approvalRow>;

/** What a person says to a table. */
export const approvalAnswer = z.object({
  run: z.array(z.string()).meta({ title: 'Allowed calls' }),
  edits: z.string().optional().meta({ title: 'Edited arguments, as JSON by row' }),
  rest: z.int().min(0).max(1000).optional().meta({ title: 'Additional calls to allow' }),
});

/** What a person says to a table. */
export type TableAnswer = z.infer<typeof approvalAnswer>;

/** What `execute_code` may ask: whether calls that change something may run. */
export const questions = {
  approveCalls: {
    response: approvalAnswer,
    context: z.object({
      rows: z.array(approvalRow),
      /** What makes the calls. */
      code: z.string(),
      /** Offers to let more calls of the same tool run; so many at first. */
      offerRest: z.int().optional(),
    }),
  },
};

/** The context of `execute_code`. */
export type CodeContext = ToolContext<typeof questions>;
