import { type Operation, race } from 'effection';
import { type BranchContext, createMcpTool } from 'parley-mcp';
import * as z from 'zod';
import { deal, nameOf } from './deck.ts';

const TELLERS = [
  { name: 'The optimist', manner: 'You see something good in every card, and say so warmly.' },
  { name: 'The skeptic', manner: 'You do not believe in cards, and say so with dry wit.' },
] as const;

type Teller = (typeof TELLERS)[number];

/**
 * Two branches ask the model at the same time, and the first to answer wins. The cards are dealt in `before` and handed
 * on, so that they are the same for the handler, for the model and for the result.
 */
export const pickCard = createMcpTool('pick_card')
  .description('Lets the user pick one of several hidden cards, and tells what the card means.')
  .parameters(z.object({ cards: z.int().min(3).max(9).default(5).meta({ title: 'Cards on the table' }) }))
  .output(z.object({ card: z.string(), teller: z.string().optional(), fortune: z.string().optional() }))
  .annotations({ readOnlyHint: true, openWorldHint: false })
  .title('Pick a card')
  .icon('sparkle')
  .requires({ elicitation: true, sampling: true })
  .elicits({
    pickCard: {
      response: z.object({
        position: z.int().min(1).max(9).meta({ title: 'Which card', description: 'From the left' }),
      }),
      context: z.object({ count: z.int() }),
    },
  })
  .handoff({
    *before({ cards }, ctx) {
      return { table: deal(cards, ctx.callId) };
    },

    *client({ table }, ctx) {
      const answer = yield* ctx.elicit('pickCard', { message: 'Pick a card', count: table.length });
      if (answer.action !== 'accept') return undefined;
      const card = table[answer.content.position - 1];
      if (!card) throw new Error(`There are ${table.length} cards: pick one of those.`);
      const fortune = yield* race(
        TELLERS.map((teller) => ctx.branch((branch) => tell(teller, nameOf(card), branch))),
      );
      return { card, fortune };
    },

    *after(_handoff, picked) {
      if (!picked) return { card: 'none' };
      return { card: nameOf(picked.card), ...picked.fortune };
    },
  });

/** One teller's words. The other one's sampling is halted as soon as these are there. */
function* tell(
  { name, manner }: Teller,
  card: string,
  ctx: BranchContext,
): Operation<{ teller: string; fortune: string }> {
  const { text } = yield* ctx.sample({
    systemPrompt: manner,
    prompt: `I drew the ${card}. Tell my fortune in one sentence.`,
    maxTokens: 100,
  });
  return { teller: name, fortune: text.trim() };
}
