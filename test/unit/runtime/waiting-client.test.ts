import { action, call, createScope, until, useScope } from 'effection';
import { describe, expect, it } from 'vitest';
import { drive } from '#src/runtime/drive/drive.ts';
import { eventLoopTurn } from '#src/runtime/time/event-loop.ts';
import { type Ctx, clientOf, endOf, row, tool, withManager } from './session-kit.ts';

const asks = tool((ctx: Ctx) => ctx.elicit('seat', { message: '?' }));

/** As a request to a client that has not answered yet. */
const noAnswer = (letGo: () => void) => action<never>(() => letGo, 'an answer');

describe('a client that waits for an answer', () => {
  it(
    'is let go with whoever drives',
    withManager(function* ({ manager }) {
      const session = yield* manager.create({ tool: asks, params: {} });
      const [scope, destroy] = createScope(yield* useScope());
      const letGo: string[] = [];
      const client = clientOf({ elicit: () => noAnswer(() => letGo.push('the request')) });
      const driving = scope.run(() => drive(session, client, 'end')).catch(String);
      yield* eventLoopTurn();
      expect(letGo).toEqual([]);
      yield* call(destroy);
      expect(letGo).toEqual(['the request']);
      expect(yield* call(() => driving)).toContain('halted');
      expect(session.openAsks()).toHaveLength(1);
      yield* session.abort();
    }),
  );

  it(
    'and cannot close, when somebody else was faster, is reported',
    withManager(function* ({ manager, diagnostics }) {
      const session = yield* manager.create({ tool: asks, params: {} });
      const [scope, destroy] = createScope(yield* useScope());
      const client = clientOf({
        *elicit() {
          try {
            return yield* noAnswer(() => {});
          } finally {
            yield* until(Promise.resolve());
            // biome-ignore lint/correctness/noUnsafeFinally: what a careless client does
            throw new Error('cannot close');
          }
        },
      });
      const driving = scope.run(() => drive(session, client, 'end'));
      yield* eventLoopTurn();
      session.respondToElicit('elicit-1', row(1));
      expect(yield* endOf(session)).toMatchObject({ type: 'result' });
      expect(yield* call(() => driving)).toMatchObject({ type: 'result' });
      for (let turn = 0; turn < 3; turn++) yield* eventLoopTurn();
      expect(diagnostics).toMatchObject([{ message: 'probe client failed to stop answering' }]);
      yield* call(destroy);
    }),
  );
});
