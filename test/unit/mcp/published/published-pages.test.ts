import { type Operation, run } from 'effection';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createMcpTool } from '#src/core/index.ts';
import { type PublishedPage, PublishedPages } from '#src/mcp/published/published-pages.ts';
import { createSessionManager } from '#src/runtime/manager/session-manager.ts';
import type { Session } from '#src/runtime/session/session.ts';

const asks = createMcpTool('asks')
  .description('Asks')
  .parameters(z.object({}))
  .elicits({ row: z.object({ row: z.int() }) })
  .execute(function* (_, ctx) {
    return (yield* ctx.elicit.strict('row', { message: 'Which?' })).row;
  });

/** Publishes pages of a call that is open. */
function withCall(use: (publish: (principal: string) => PublishedPage, pages: PublishedPages) => void) {
  return run(function* (): Operation<void> {
    const manager = yield* createSessionManager();
    const session: Session = yield* manager.create({ tool: asks, params: {} });
    const pages = new PublishedPages({ at: 'http://127.0.0.1:4100' });
    use((principal) => {
      const page = pages.publish(session, principal, 'a client');
      if (!page) throw new Error('a page of this machine is published');
      return page;
    }, pages);
  });
}

describe('published pages', () => {
  it('of one principal, though there are more than fit, close none of another', () =>
    withCall((publish, pages) => {
      const bobs = [publish('bob'), publish('bob')];
      const adas = Array.from({ length: 1_500 }, () => publish('ada'));
      expect(bobs.map(({ id }) => pages.find(id))).toEqual(bobs);
      expect(pages.find(adas[0]?.id ?? '')).toBeUndefined();
      expect(pages.find(adas.at(-1)?.id ?? '')).toBe(adas.at(-1));
      expect(adas.filter(({ id }) => pages.find(id))).toHaveLength(998);
    }));
});
