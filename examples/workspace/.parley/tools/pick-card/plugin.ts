import { makePlugin } from 'parley-mcp';
import { CardFace, CardTable } from './cards.view.tsx';
import { pickCard } from './tool.ts';

/** Cards face down to pick from; the picked one is turned over while the fortune is told. */
export const pickCardPlugin = makePlugin(pickCard)
  .onElicit({
    *pickCard({ count, handoff }, ctx) {
      const position = yield* ctx.render(CardTable, { count });
      const card = handoff.table[position - 1];
      if (card) yield* ctx.show(CardFace, { card });
      return { action: 'accept', content: { position } };
    },
  })
  .build();
