import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from 'effection';
import { describe, expect, test } from 'vitest';
import { createSessionManager } from '#src/runtime/manager/session-manager.ts';
import { accept, endOf, settle } from '../session-kit.ts';
import { order } from './order-tool.ts';

interface Kept {
  readonly header: object;
  readonly lines: readonly object[];
}

/**
 * What Parley wrote on 2026-11-22, in format 1 of journals: a call that went back once and waits at its third question. It is never written
 * anew: a new format gets a file of its own beside it, and both stay readable.
 */
const { header, lines }: Kept = JSON.parse(
  await readFile(join(import.meta.dirname, 'journal-1.json'), 'utf8'),
);

describe('a call that an earlier Parley kept', () => {
  test('goes on where it was: nothing is done twice, and what it did then can be taken back', () =>
    run(function* () {
      const world: string[] = [];
      const manager = yield* createSessionManager();
      const tool = order((what) => world.push(what));
      const session = yield* manager.resume({ tool, journal: { header, lines } });
      expect(session.openAsks()).toMatchObject([{ id: 'elicit-5', request: { message: 'A red a pen?' } }]);
      expect(world).toEqual([]);
      yield* session.rewind('elicit-4');
      expect(world).toEqual(['strip']);
      session.respond('elicit-6', accept({ text: 'green' }));
      yield* settle();
      session.respond('elicit-7', accept({ text: 'yes' }));
      expect(yield* endOf(session)).toMatchObject({ value: ['kept/step-2', 'green', 'yes'] });
      expect(world).toEqual(['strip', 'paint']);
    }));

  test.each<readonly [string, (kept: Kept) => unknown, string]>([
    [
      'of a later version says which, and which this one reads',
      ({ header, lines }) => ({ header: { ...header, v: 3 }, lines }),
      'it was written in version 3 of the format, and this Parley reads versions up to 2',
    ],
    [
      'with a line that nobody knows is damaged',
      ({ header, lines }) => ({ header, lines: [...lines, { t: 'dreamt', id: 'elicit-9', ms: 1 }] }),
      'what was kept of it is damaged',
    ],
    ['without its beginning is damaged', ({ lines }) => ({ lines }), 'what was kept of it is damaged'],
  ])('%s, and nothing of it runs', (_, changed, why) =>
    run(function* () {
      const world: string[] = [];
      const journal = changed({ header, lines });
      const manager = yield* createSessionManager();
      let thrown: unknown;
      try {
        yield* manager.resume({ tool: order((what) => world.push(what)), journal });
      } catch (error) {
        thrown = error;
      }
      expect(thrown).toMatchObject({ code: 'JOURNAL_INVALID', message: expect.stringContaining(why) });
      expect(world).toEqual([]);
      expect(manager.listActive()).toEqual([]);
    }),
  );
});
