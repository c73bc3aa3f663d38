import type { ToolContext } from 'parley-mcp';
import * as z from 'zod';
import { hunkLine } from './hunk.ts';

/** What a person can say to a proposed edit. */
export const decisions = ['accept', 'skip', 'accept_rest', 'skip_rest'] as const;

/** What the tool asks: one edit at a time. */
export const questions = {
  reviewEdit: {
    response: z.object({
      decision: z.enum(decisions).meta({ title: 'Action for this edit' }),
    }),
    context: z.object({
      file: z.string(),
      why: z.string(),
      lines: z.array(hunkLine),
      index: z.int(),
      total: z.int(),
    }),
  },
};

/** Through what the tool talks. */
export type FixContext = ToolContext<typeof questions>;
