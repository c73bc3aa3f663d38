import { createRequire } from 'node:module';
import * as ours from 'effection';
import { describe, expect, it } from 'vitest';
import { callContext } from '#src/core/world/call-context.ts';
import { ClockContext } from '#src/core/world/clock.ts';
import { drive } from '#src/runtime/drive/drive.ts';
import { clientOf, endOf, row, said, tool, withManager } from './session-kit.ts';

/** A workspace tool may bundle an Effection of its own: here the CommonJS build plays that part. */
const theirs = createRequire(import.meta.url)('effection') as typeof ours;

describe('a tool with an Effection of its own', () => {
  it('really has another copy', () => {
    expect(theirs.run).not.toBe(ours.run);
  });

  it(
    'asks, branches, races, spawns and reads the contexts of the call',
    withManager(function* ({ manager, clock }) {
      const Place = callContext<string>('test.place');
      const TheirPlace = theirs.createContext<string>('test.place');
      yield* Place.set('Lisbon');
      const log: string[] = [];
      const code = tool(function* (ctx) {
        yield* theirs.ensure(() => void log.push('ensured'));
        const child = yield* theirs.spawn(function* () {
          yield* theirs.sleep(0);
          return 'child';
        });
        const raced = yield* theirs.race([
          ctx.branch(function* (branch) {
            return (yield* branch.sample({ prompt: 'x' })).text;
          }),
          theirs.suspend(),
        ]);
        const answer = yield* theirs.scoped(() => ctx.elicit('seat', { message: '?' }));
        return [
          yield* TheirPlace.expect(),
          yield* child,
          raced,
          answer.action,
          (yield* ClockContext.expect()) === clock,
        ];
      });
      const client = clientOf({
        *elicit() {
          return row(1);
        },
        *sample() {
          yield* theirs.sleep(0);
          return said('sampled');
        },
      });
      const session = yield* manager.create({ tool: code, params: {} });
      expect(yield* drive(session, client, 'end')).toMatchObject({
        value: ['Lisbon', 'child', 'sampled', 'accept', true],
      });
      expect(log).toEqual(['ensured']);
    }),
  );

  it(
    'is halted like any other',
    withManager(function* ({ manager }) {
      const log: string[] = [];
      const code = tool(function* (ctx) {
        yield* theirs.spawn(function* () {
          try {
            yield* theirs.suspend();
          } finally {
            log.push('child down');
          }
        });
        try {
          yield* theirs.all([ctx.sample({ prompt: 'x' }), theirs.suspend()]);
        } finally {
          log.push('tool down');
        }
      });
      const session = yield* manager.create({ tool: code, params: {} });
      yield* ours.sleep(0);
      yield* session.abort();
      expect(log.sort()).toEqual(['child down', 'tool down']);
      expect(yield* endOf(session)).toMatchObject({ type: 'aborted' });
    }),
  );
});
