import { createMcpTool } from 'parley-mcp';
import * as z from 'zod';

const draft = (name: string) =>
  createMcpTool(name)
    .description('A tool of a test.')
    .parameters(z.object({}))
    .durable()
    .elicits({ sure: z.object({ sure: z.boolean() }) });

/** What a module keeps is gone after a restart. */
const kept = new Map<string, string>();

export const remembers = draft('remembers').execute(function* (_, ctx) {
  yield* ctx.step('look', () => void kept.set('user', 'Ada'));
  yield* ctx.elicit('sure', { message: 'Sure?' });
  return kept.get('user') ?? 'nobody';
});

export const asksAgain = draft('asks_again').execute(function* (_, ctx) {
  yield* ctx.step('look', () => void kept.set('user', 'Ada'));
  yield* ctx.elicit('sure', { message: `Sure, ${kept.get('user')}?` });
});

/** What a test sets for its process. */
export const reads = draft('reads').execute(function* () {
  return (globalThis as { shop?: string }).shop ?? 'no shop';
});

export const steady = draft('steady').execute(function* (_, ctx) {
  const at = yield* ctx.step('look', () => new Date(0));
  const { sure } = yield* ctx.elicit.strict('sure', { message: `Sure of ${at}?` });
  return { at, sure };
});
