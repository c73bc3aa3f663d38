import { expect, it } from 'vitest';
import { makePlugin } from '#src/core/plugin/make-plugin.ts';
import { createSessionManager } from '#src/runtime/manager/session-manager.ts';
import { placed, settle, withManager } from '../session-kit.ts';
import { journalOf, shortly, unplaced } from './journal-kit.ts';

it(
  'what a plugin does around a sampling is in a step: it is done once, though its hooks run again',
  withManager(function* ({ manager }) {
    const done: string[] = [];
    const asking = unplaced(function* (ctx) {
      return (yield* ctx.sample({ prompt: 'x' })).text;
    });
    const built = makePlugin(asking)
      .onElicit({ seat: 'form', meal: 'form' })
      .sampling({
        *before(messages, ctx) {
          yield* ctx.step('count', () => void done.push('before'));
          return messages;
        },
        *act(prepared, provider, ctx) {
          yield* ctx.step('act', () => void done.push('act'));
          return yield* provider(prepared);
        },
      })
      .build();
    const plugin = placed(built);
    const first = yield* manager.create({ tool: plugin, params: {} });
    while (first.openAsks().length === 0) yield* settle();
    expect(done).toEqual(['before', 'act']);
    const other = yield* createSessionManager();
    const session = yield* other.resume({ tool: plugin, journal: journalOf(first) });
    expect(session.openAsks()).toMatchObject([{ kind: 'sample' }]);
    expect(done).toEqual(['before', 'act']);
    expect(
      journalOf(first)
        .lines.map(shortly)
        .filter((line) => line.startsWith('step ')),
    ).toHaveLength(2);
  }),
);
