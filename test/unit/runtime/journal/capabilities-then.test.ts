import { describe, expect, it } from 'vitest';
import type { ClientCapabilities } from '#src/core/tool/context.ts';
import { clientOf, endOf, row, settle, withManager } from '../session-kit.ts';
import { type Ctx, durable, journalOf, resumed } from './journal-kit.ts';

describe('a call that is taken up from its journal', () => {
  it(
    'has the capabilities of then until its journal is used up, and those of now afterwards',
    withManager(function* ({ manager }) {
      const looking = () =>
        durable(function* (ctx: Ctx) {
          const then = ctx.capabilities.sampling?.tools;
          yield* ctx.elicit('seat', { message: `tools: ${then}` });
          return [then, ctx.capabilities.sampling?.tools];
        });
      const capabilities = { elicitation: { form: true }, sampling: { tools: true } } as const;
      const first = yield* manager.create({ tool: looking(), params: {}, capabilities });
      const fewer = { elicitation: { form: true }, sampling: { tools: false } } as const;
      const session = yield* manager.resume({
        tool: looking(),
        journal: { ...journalOf(first), header: { ...journalOf(first).header, callId: 'other' } },
        capabilities: fewer,
      });
      session.respond('elicit-1', row(1));
      yield* settle();
      expect(yield* endOf(session)).toMatchObject({ value: [true, false] });
    }),
  );

  const answersForms: ClientCapabilities = { elicitation: { form: true }, sampling: { tools: false } };
  it.each<[what: string, now: ClientCapabilities, before?: 'unknown']>([
    ['is there', answersForms, 'unknown'],
    ['opens pages', { elicitation: { form: true, url: true }, sampling: { tools: false } }],
    ['has a model', { elicitation: { form: true } }],
    ['has a model that uses tools', { elicitation: { form: true }, sampling: { tools: true } }],
    [
      'has a model that is given context',
      { elicitation: { form: true }, sampling: { tools: false, context: true } },
    ],
    ['has folders', { elicitation: { form: true }, sampling: { tools: false }, roots: true }],
    ['is the editor', { elicitation: { form: true }, sampling: { tools: false }, editor: true }],
  ])('has the capabilities of each moment, where only whether somebody %s has changed', (_, now, before) =>
    withManager(function* ({ manager }) {
      const looking = () =>
        durable(function* (ctx: Ctx) {
          for (;;) yield* ctx.elicit('seat', { message: `${JSON.stringify(ctx.capabilities)}` });
        });
      const capabilities = before ? {} : { capabilities: answersForms };
      const first = yield* manager.create({ tool: looking(), params: {}, ...capabilities });
      const lease = first.attachNow({ ...clientOf(), capabilities: () => now });
      first.respond('elicit-1', row(1));
      yield* settle();
      const session = yield* resumed(looking(), journalOf(first));
      expect(session.openAsks()).toEqual(first.openAsks());
      lease.detach();
    })(),
  );
});
