import { suspend } from 'effection';
import { type AnyTool, createMcpTool } from 'parley-mcp';
import * as z from 'zod';

/** What calls of the tools of {@link testTools} did. */
export interface Witness {
  started: number;
  /** `finally` blocks that ran. */
  ended: number;
}

/** Tools that say what becomes of their calls. */
export function testTools(): { readonly tools: readonly AnyTool[]; readonly witness: Witness } {
  const witness: Witness = { started: 0, ended: 0 };
  const nothing = z.object({});
  const seat = z.object({ row: z.int().min(1).max(30) });

  const asking = createMcpTool('ask_seat')
    .description('Asks for a seat')
    .parameters(z.object({ flight: z.string().default('KL1') }))
    .elicits({ seat })
    .execute(function* ({ flight }, ctx) {
      witness.started += 1;
      try {
        const answer = yield* ctx.elicit('seat', { message: `Which row on ${flight}?` });
        return answer.action === 'accept' ? `row ${answer.content.row} on ${flight}` : answer.action;
      } finally {
        witness.ended += 1;
      }
    });

  const idle = createMcpTool('idle')
    .description('Waits for ever')
    .parameters(nothing)
    .elicits({})
    .execute(function* (_params, ctx) {
      witness.started += 1;
      try {
        yield* ctx.notify('waiting');
        yield* suspend();
        return 'never';
      } finally {
        witness.ended += 1;
      }
    });

  const echo = createMcpTool('echo')
    .description('Says what it was told')
    .parameters(z.object({ text: z.string() }))
    .annotations({ readOnlyHint: true })
    .elicits({})
    .execute(function* ({ text }) {
      return text;
    });

  return { tools: [asking, idle, echo], witness };
}
