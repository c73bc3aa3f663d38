import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Operation, run } from 'effection';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { StoredCall } from '#src/runtime/journal/call-store.ts';
import { createSessionManager } from '#src/runtime/manager/session-manager.ts';
import { eventLoopTurn } from '#src/runtime/time/event-loop.ts';
import { type CallStore, createFilesStore } from '#src/stores/index.ts';
import { accept, endOf } from '../../runtime/session-kit.ts';
import { order } from './order-tool.ts';

/**
 * What Parley wrote on 2026-11-22, in format 1 of folders, logs and journals: a call that went back once and waits at its third question. It
 * is never written anew: a new format gets a folder of its own beside it, and both stay readable.
 */
const written = join(import.meta.dirname, 'format-1');
const key = new Uint8Array(32).fill(7);
const name = { principal: 'ada', conversation: '', callId: 'kept' };
let folder: string;
let store: CallStore;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-calls-'));
  await cp(written, folder, { recursive: true });
  store = createFilesStore({ folder, keys: [key], now: () => 1_790_000_600_000 });
});
afterEach(() => rm(folder, { recursive: true }));

function* kept(): Operation<StoredCall> {
  const stored = yield* store.read(name);
  if (!stored) throw new Error('the call is not there');
  return stored;
}

describe('a call that an earlier Parley kept', () => {
  test('is listed with its notes and events', () =>
    run(function* () {
      expect(yield* store.list()).toMatchObject([{ name, ended: false, notes: { from: 'format 1' } }]);
      const events = yield* store.readEvents(name);
      expect(events.at(-1)).toMatchObject({ ask: { request: { message: 'A red a pen?' } } });
    }));

  test('goes on where it was: nothing is done twice, and what it did then can be taken back', () =>
    run(function* () {
      const world: string[] = [];
      const claim = yield* store.claim(name);
      expect(claim).toBeDefined();
      const { header, lines } = yield* kept();
      const manager = yield* createSessionManager();
      const tool = order((what) => world.push(what));
      const session = yield* manager.resume({ tool, journal: { header, lines } });
      expect(session.openAsks()).toMatchObject([{ id: 'elicit-5', request: { message: 'A red a pen?' } }]);
      expect(world).toEqual([]);
      yield* session.rewind('elicit-4');
      expect(world).toEqual(['strip']);
      session.respond('elicit-6', accept({ text: 'green' }));
      yield* eventLoopTurn();
      session.respond('elicit-7', accept({ text: 'yes' }));
      expect(yield* endOf(session)).toMatchObject({ value: ['kept/step-2', 'green', 'yes'] });
      expect(world).toEqual(['strip', 'paint']);
    }));

  test.each<readonly [string, (stored: StoredCall) => unknown, string]>([
    [
      'of a later version says which, and which this one reads',
      ({ header, lines }) => ({ header: { ...(header as object), v: 3 }, lines }),
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
      const journal = changed(yield* kept());
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
