import { hash } from 'node:crypto';
import { type Operation, run, withResolvers } from 'effection';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isParleyError } from '#src/core/errors/errors.ts';
import type { JsonValue } from '#src/core/messages/json.ts';
import { MOST_MESSAGES } from '#src/runtime/journal/call-store.ts';
import type { CallName, CallStore, Claim, InboxMessage, NewCall, StoreBounds } from '#src/stores/index.ts';

/** A store as two of its users have it: two processes, where it can have two. */
export interface StoreUnderTest {
  readonly first: CallStore;
  readonly second: CallStore;
  close(): Promise<void>;
}

/** What a store is opened with. */
export interface OpenStore {
  readonly bounds: StoreBounds | undefined;
  now(): number;
}

const MINUTE = 60_000;

/** Names a call. */
export function named(callId: string, more: Partial<CallName> = {}): CallName {
  return { principal: 'ann', conversation: '', callId, ...more };
}

/** A call to begin. */
export function newCall(callId: string, more: Partial<NewCall> = {}): NewCall {
  return { name: named(callId), header: { tool: 'greet' }, ...more };
}

/** What every store does. */
export function storeContract(name: string, open: (options: OpenStore) => Promise<StoreUnderTest>): void {
  let ahead = 0;
  let store: StoreUnderTest;
  const opened: StoreUnderTest[] = [];
  const use = async (bounds?: StoreBounds) => {
    store = await open({ bounds, now: () => Date.now() + ahead });
    opened.push(store);
    return store;
  };
  const on = <T>(which: 'first' | 'second', op: (store: CallStore) => Operation<T>) =>
    run(() => op(store[which]));
  const lines = async (call: CallName = named('a')) => (await on('first', (s) => s.read(call)))?.lines;

  beforeEach(async () => {
    ahead = 0;
    await use();
  });
  afterEach(async () => {
    for (const one of opened.splice(0)) await one.close();
  });

  async function claimed(which: 'first' | 'second', callName = named('a')): Promise<Claim> {
    const outcome = await on(which, (s) => s.claim(callName));
    if (outcome.type !== 'claimed') throw new Error(`not claimed: ${outcome.type}`);
    return outcome.claim;
  }

  describe(`${name} keeps calls`, () => {
    test('what was begun and appended is read as it was written, by everybody', async () => {
      const header = { tool: 'greet', params: { '': [null, 'é\n\u0000😀'] } };
      const claim = await on('first', (s) =>
        s.begin(newCall('a', { header, lines: [1], notes: { round: 0, gone: 1 } })),
      );
      await on('first', (s) =>
        s.append(claim, { at: 1, lines: ['two', { three: [3] }], notes: { round: 1, gone: null } }),
      );

      expect(await on('second', (s) => s.read(named('a')))).toMatchObject({
        name: named('a'),
        header,
        lines: [1, 'two', { three: [3] }],
        lineCount: 3,
        notes: { round: 1 },
        ended: false,
        due: undefined,
        held: true,
      });
    });

    test('what is read is a copy', async () => {
      await on('first', (s) => s.begin(newCall('a', { lines: [{ answer: 1 }] })));
      const read = await on('first', (s) => s.read(named('a')));
      Object.assign(read?.lines[0] as object, { answer: 2 });

      expect(await lines()).toEqual([{ answer: 1 }]);
    });

    test('an unknown call is not there', async () => {
      expect(await on('first', (s) => s.read(named('nobody')))).toBeUndefined();
      expect(await on('first', (s) => s.readEvents(named('nobody')))).toEqual([]);
      expect(await on('first', (s) => s.claim(named('nobody')))).toEqual({ type: 'unknown' });
      expect(await on('first', (s) => s.forget(named('nobody')))).toBe(false);
    });

    test('a name is taken once, and is another with another principal or conversation', async () => {
      await on('first', (s) => s.begin(newCall('a')));
      await on('first', (s) => s.begin(newCall('a', { name: named('a', { principal: 'bob' }) })));
      await on('first', (s) => s.begin(newCall('a', { name: named('a', { conversation: 'chat' }) })));

      await refused(
        on('second', (s) => s.begin(newCall('a'))),
        'SESSION_EXISTS',
      );
    });

    test('names may hold anything', async () => {
      const hostile = ['../../etc/passwd', 'con', '', 'a/b\\c', '\u0000', '","', 'ä'.repeat(5000)];
      for (const callId of hostile) {
        const call = newCall(callId, {
          name: { principal: callId, conversation: callId, callId },
          lines: [callId],
        });
        await on('first', (s) => s.begin(call));
        expect(await lines(call.name)).toEqual([callId]);
      }
      const list = await on('second', (s) => s.list());
      expect(list.map(({ name: { callId } }) => callId).sort()).toEqual([...hostile].sort());
    });

    test('of many who begin the same call one does', async () => {
      const begun = await Promise.allSettled(
        Array.from({ length: 20 }, (_, i) =>
          on(i % 2 ? 'first' : 'second', (s) => s.begin(newCall('a', { lines: [i] }))),
        ),
      );
      expect(begun.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(await lines()).toHaveLength(1);
    });

    test('an append that is tried again is there once', async () => {
      const claim = await on('first', (s) => s.begin(newCall('a', { lines: ['0'] })));
      const append = { at: 1, lines: ['1', '2'] };
      await on('first', (s) => s.append(claim, append));
      await on('first', (s) => s.append(claim, append));
      await on('first', (s) => s.append(claim, { at: 2, lines: ['2', '3'] }));

      expect(await lines()).toEqual(['0', '1', '2', '3']);
    });

    test('an append behind lines that are missing is refused', async () => {
      const claim = await on('first', (s) => s.begin(newCall('a')));
      await expect(on('first', (s) => s.append(claim, { at: 1, lines: ['1'] }))).rejects.toThrow(RangeError);
    });

    test('appends at once come in the order in which they were asked for', async () => {
      const claim = await on('first', (s) => s.begin(newCall('a')));
      const all = Array.from({ length: 50 }, (_, i) => i);
      await Promise.all(all.map((i) => on('first', (s) => s.append(claim, { at: i, lines: [i] }))));

      expect(await lines()).toEqual(all);
    });

    test('events are kept beside the lines, and replaced when their log begins later', async () => {
      const claim = await on('first', (s) => s.begin(newCall('a')));
      await on('first', (s) => s.appendEvents(claim, { events: [1, 2] }));
      await on('first', (s) => s.appendEvents(claim, { events: [3] }));
      expect(await on('second', (s) => s.readEvents(named('a')))).toEqual([1, 2, 3]);

      await on('first', (s) => s.appendEvents(claim, { replace: true, events: [3, 4] }));
      await on('first', (s) => s.appendEvents(claim, { events: [5] }));
      expect(await on('second', (s) => s.readEvents(named('a')))).toEqual([3, 4, 5]);
      expect(await lines()).toEqual([]);
    });

    test('a forgotten call is gone with its events, and its name is free', async () => {
      const claim = await on('first', (s) => s.begin(newCall('a', { lines: ['old'] })));
      await on('first', (s) => s.appendEvents(claim, { events: [1] }));
      expect(await on('second', (s) => s.forget(named('a')))).toBe(true);
      expect(await on('first', (s) => s.read(named('a')))).toBeUndefined();
      expect(await on('first', (s) => s.list())).toEqual([]);

      await on('second', (s) => s.begin(newCall('a', { lines: ['new'] })));
      expect(await lines()).toEqual(['new']);
      expect(await on('second', (s) => s.readEvents(named('a')))).toEqual([]);
    });

    test('who held a forgotten call writes no more, not even into a new one of its name', async () => {
      const old = await on('first', (s) => s.begin(newCall('a')));
      await on('second', (s) => s.forget(named('a')));
      await refused(
        on('first', (s) => s.append(old, { at: 0, lines: ['late'] })),
        'CLAIM_LOST',
      );

      const other = await on('first', (s) => s.begin(newCall('b')));
      await on('second', (s) => s.forget(named('b')));
      const mine = await on('second', (s) => s.begin(newCall('b')));
      await on('second', (s) => s.release(mine));
      await claimed('second', named('b'));
      await refused(
        on('first', (s) => s.append(other, { at: 0, lines: ['late'] })),
        'CLAIM_LOST',
      );
      expect(await lines(named('b'))).toEqual([]);
    });
  });

  describe(`${name} lists calls`, () => {
    test('those touched last first, by principal, conversation and end, page by page', async () => {
      const chat = { conversation: 'chat' };
      for (const callName of [named('a'), named('b', chat), named('c', { principal: 'bob' }), named('d')]) {
        const claim = await on('first', (s) => s.begin(newCall('', { name: callName })));
        ahead += 1000;
        await on('first', (s) => s.renew(claim));
        if (callName.callId === 'd') await on('first', (s) => s.append(claim, { at: 0, ended: true }));
        ahead += 1000;
      }
      const ids = async (options = {}) =>
        (await on('second', (s) => s.list(options))).map(({ name: { callId } }) => callId);

      expect((await ids()).toSorted()).toEqual(['a', 'b', 'c', 'd']);
      expect(await ids({ principal: 'bob' })).toEqual(['c']);
      expect(await ids({ principal: 'ann', conversation: 'chat' })).toEqual(['b']);
      expect(await ids({ ended: true })).toEqual(['d']);
      const page = await on('second', (s) => s.list({ limit: 2, ended: false }));
      expect(page.map(({ name: { callId } }) => callId)).toEqual(['c', 'b']);
      expect(await ids({ limit: 2, ended: false, before: page.at(-1)?.touched })).toEqual(['a']);
      expect(page[0]).not.toHaveProperty('lines');
    });
  });

  describe(`${name} gives a call to one`, () => {
    test('who begins it holds it; given back, another takes it, with a higher number', async () => {
      const mine = await on('first', (s) => s.begin(newCall('a')));
      expect(await on('second', (s) => s.claim(named('a')))).toEqual({ type: 'held' });
      expect(await on('first', (s) => s.claim(named('a')))).toEqual({ type: 'held' });
      await on('first', (s) => s.release(mine));
      const theirs = await claimed('second');

      expect(theirs.fence).toBeGreaterThan(mine.fence);
      await refused(
        on('first', (s) => s.append(mine, { at: 0, lines: ['late'] })),
        'CLAIM_LOST',
      );
      await refused(
        on('first', (s) => s.renew(mine)),
        'CLAIM_LOST',
      );
      await refused(
        on('first', (s) => s.appendEvents(mine, { events: ['late'] })),
        'CLAIM_LOST',
      );
      await on('first', (s) => s.release(mine));
      await on('second', (s) => s.append(theirs, { at: 0, lines: ['theirs'] }));
      expect(await lines()).toEqual(['theirs']);
    });

    test('who claims it is given it as it is read; what is written with its release is in one piece', async () => {
      const mine = await on('first', (s) => s.begin(newCall('a', { lines: [1], notes: { round: 0 } })));
      const last = {
        at: 1,
        lines: [2],
        notes: { round: 1 },
        due: Date.now() + MINUTE,
        release: true as const,
      };
      await on('first', (s) => s.append(mine, last));
      await refused(
        on('first', (s) => s.append(mine, { at: 2, lines: ['late'] })),
        'CLAIM_LOST',
      );
      expect(await on('second', (s) => s.read(named('a')))).toMatchObject({ held: false, lines: [1, 2] });

      const outcome = await on('second', (s) => s.claim(named('a')));
      if (outcome.type !== 'claimed') throw new Error(outcome.type);
      expect(outcome.call).toMatchObject({ held: true, lines: [1, 2], notes: { round: 1 }, due: last.due });
      const { touched: _, size: __, ...read } = (await on('first', (s) => s.read(named('a')))) ?? {};
      expect(outcome.call).toMatchObject(read);
      await on('second', (s) => s.append(outcome.claim, { at: 2, lines: [3], ended: true, release: true }));
      expect(await on('first', (s) => s.read(named('a')))).toMatchObject({
        ...{ held: false, ended: true, due: undefined, lines: [1, 2, 3] },
      });
    });

    test('what is asked for behind a release that is under way is not written', async () => {
      const mine = await on('first', (s) => s.begin(newCall('a')));
      const released = on('first', (s) => s.append(mine, { at: 0, notes: { round: 2 }, release: true }));
      const late = on('first', (s) => s.append(mine, { at: 0, notes: { round: 1 } }));
      await Promise.all([released, refused(late, 'CLAIM_LOST')]);
      expect(await on('second', (s) => s.read(named('a')))).toMatchObject({
        held: false,
        notes: { round: 2 },
      });
    });

    test('of many who claim at once one gets it', async () => {
      const mine = await on('first', (s) => s.begin(newCall('a')));
      await on('first', (s) => s.release(mine));
      const outcomes = await Promise.all(
        Array.from({ length: 30 }, (_, i) => on(i % 2 ? 'first' : 'second', (s) => s.claim(named('a')))),
      );
      expect(outcomes.filter(({ type }) => type === 'claimed')).toHaveLength(1);
      expect(outcomes.filter(({ type }) => type === 'held')).toHaveLength(29);
    });

    test('who ends it takes it from its holder, whose next write is refused', async () => {
      const mine = await on('first', (s) => s.begin(newCall('a', { lines: [1] })));
      const outcome = await on('second', (s) => s.claim(named('a'), true));
      if (outcome.type !== 'claimed') throw new Error(outcome.type);
      expect(outcome.claim.fence).toBeGreaterThan(mine.fence);
      expect(outcome.call).toMatchObject({ held: true, lines: [1] });
      const end = { at: 1, notes: { end: 'stopped' }, ended: true as const, release: true as const };
      await on('second', (s) => s.append(outcome.claim, end));
      await refused(
        on('first', (s) => s.append(mine, { at: 1, lines: ['late'], ended: true })),
        'CLAIM_LOST',
      );
      await refused(
        on('first', (s) => s.take(mine)),
        'CLAIM_LOST',
      );
      await on('first', (s) => s.release(mine));
      expect(await on('first', (s) => s.read(named('a')))).toMatchObject({
        ...{ ended: true, held: false, notes: { end: 'stopped' }, lines: [1] },
      });
      expect(await on('first', (s) => s.claim(named('none'), true))).toEqual({ type: 'unknown' });
    });

    test('a claim lapses after half a minute without a sign of life', async () => {
      const mine = await on('first', (s) => s.begin(newCall('a')));
      ahead += 20_000;
      await on('first', (s) => s.renew(mine));
      ahead += 20_000;
      expect(await on('second', (s) => s.claim(named('a')))).toEqual({ type: 'held' });
      ahead += 11_000;
      const theirs = await claimed('second');

      await refused(
        on('first', (s) => s.append(mine, { at: 0, lines: ['late'] })),
        'CLAIM_LOST',
      );
      await on('second', (s) => s.append(theirs, { at: 0, lines: ['theirs'] }));
      expect(await lines()).toEqual(['theirs']);
    });

    test('who has lapsed goes on as long as nobody has taken the call up', async () => {
      const mine = await on('first', (s) => s.begin(newCall('a')));
      ahead += MINUTE;
      await on('first', (s) => s.append(mine, { at: 0, lines: ['still here'] }));
      expect(await lines()).toEqual(['still here']);
    });

    test('a call that has ended can be taken up, too', async () => {
      const mine = await on('first', (s) => s.begin(newCall('a', { ended: true })));
      await on('first', (s) => s.release(mine));
      await claimed('second');
    });

    test('property: what was acknowledged is there, in order, whoever claimed what when', async () => {
      const action = fc.oneof(
        fc.record({ do: fc.constant('claim' as const), by: fc.boolean() }),
        fc.record({
          do: fc.constant('append' as const),
          claim: fc.nat(5),
          value: fc.jsonValue(),
          again: fc.boolean(),
        }),
        fc.record({ do: fc.constant('release' as const), claim: fc.nat(5) }),
        fc.record({ do: fc.constant('renew' as const), claim: fc.nat(5) }),
        fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(5_000, 31_000) }),
      );
      let run = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(action, { maxLength: 25 }), async (actions) => {
          const callName = named(`run ${run++}`);
          const claims = [
            {
              by: 'first' as 'first' | 'second',
              claim: await on('first', (s) => s.begin(newCall('', { name: callName }))),
            },
          ];
          const kept: JsonValue[] = [];
          let holds = 0;
          let isHeld = true;
          let quiet = 0;
          for (const step of actions) {
            const at = 'claim' in step ? step.claim % claims.length : 0;
            const mine = claims[at];
            if (!mine) continue;
            const valid = isHeld && at === holds;
            if (step.do === 'wait') {
              ahead += step.ms;
              quiet += step.ms;
            } else if (step.do === 'claim') {
              const by = step.by ? 'first' : 'second';
              const outcome = await on(by, (s) => s.claim(callName));
              const free = !isHeld || quiet >= 30_000;
              expect(outcome.type).toBe(free ? 'claimed' : 'held');
              if (outcome.type !== 'claimed') continue;
              holds = claims.push({ by, claim: outcome.claim }) - 1;
              isHeld = true;
              await on(by, (s) => s.renew(outcome.claim));
              quiet = 0;
            } else if (step.do === 'append') {
              const what = { at: kept.length, lines: [step.value as JsonValue] };
              const wrote = on(mine.by, (s) => s.append(mine.claim, what));
              if (!valid) {
                await refused(wrote, 'CLAIM_LOST');
                continue;
              }
              await wrote;
              if (step.again) await on(mine.by, (s) => s.append(mine.claim, what));
              await on(mine.by, (s) => s.renew(mine.claim));
              kept.push(JSON.parse(JSON.stringify(step.value)));
              quiet = 0;
            } else if (step.do === 'renew') {
              const renewed = on(mine.by, (s) => s.renew(mine.claim));
              if (valid) await renewed.then(() => (quiet = 0));
              else await refused(renewed, 'CLAIM_LOST');
            } else {
              await on(mine.by, (s) => s.release(mine.claim));
              if (valid) isHeld = false;
            }
          }
          expect(await lines(callName)).toEqual(kept);
        }),
        { numRuns: 40 },
      );
    });
  });

  describe(`${name} says what is due`, () => {
    const due = () => on('second', (s) => s.due());

    test('a call whose time has come, once nobody holds it', async () => {
      const mine = await on('first', (s) => s.begin(newCall('a', { due: Date.now() + MINUTE })));
      await on('first', (s) => s.release(mine));
      expect(await due()).toEqual([]);
      ahead += 61_000;
      expect(await due()).toEqual([{ name: named('a'), why: 'timer' }]);

      const theirs = await claimed('second');
      expect(await due()).toEqual([]);
      await on('second', (s) => s.append(theirs, { at: 0, due: null }));
      await on('second', (s) => s.release(theirs));
      ahead += MINUTE;
      expect(await due()).toEqual([]);
    });

    test('a later time takes the place of an earlier one, and the end of all', async () => {
      const mine = await on('first', (s) => s.begin(newCall('a', { due: Date.now() })));
      await on('first', (s) => s.append(mine, { at: 0, due: Date.now() + 2 * MINUTE }));
      await on('first', (s) => s.release(mine));
      ahead += MINUTE;
      expect(await due()).toEqual([]);
      ahead += MINUTE;
      expect(await due()).toHaveLength(1);

      const theirs = await claimed('first');
      await on('first', (s) => s.append(theirs, { at: 0, ended: true }));
      await on('first', (s) => s.release(theirs));
      expect(await due()).toEqual([]);
    });

    test('at any time: a fraction of a millisecond, and one that never comes', async () => {
      const mine = await on('first', (s) => s.begin(newCall('a', { due: Date.now() + 0.5 })));
      await on('first', (s) => s.release(mine));
      const never = await on('first', (s) => s.begin(newCall('b', { due: Number.POSITIVE_INFINITY })));
      await on('first', (s) => s.append(never, { at: 0, due: 1e300, release: true }));
      ahead += 10;
      expect(await due()).toEqual([{ name: named('a'), why: 'timer' }]);
    });

    test('a call whose holder is gone without a word', async () => {
      await on('first', (s) => s.begin(newCall('a')));
      await on('first', (s) => s.begin(newCall('over', { ended: true })));
      expect(await due()).toEqual([]);
      ahead += 31_000;
      expect(await due()).toEqual([{ name: named('a'), why: 'orphan' }]);
    });

    test('no more than were asked for', async () => {
      for (let i = 0; i < 5; i += 1) await on('first', (s) => s.begin(newCall(`${i}`, { due: Date.now() })));
      ahead += 31_000;
      expect(await on('first', (s) => s.due(3))).toHaveLength(3);
    });
  });

  describe(`${name} has an inbox for each call`, () => {
    const message = (id: string, body: JsonValue = id): InboxMessage => ({
      ...{ id, digest: hash('sha256', JSON.stringify(body)) },
      body,
    });
    const leave = (which: 'first' | 'second', one: InboxMessage, callName = named('a')) =>
      on(which, (s) => s.leave(callName, one));
    const take = (which: 'first' | 'second', claim: Claim) => on(which, (s) => s.take(claim));

    test('what is left waits, in order, for who holds the call and for who takes it up', async () => {
      const mine = await on('first', (s) => s.begin(newCall('a')));
      expect(await take('first', mine)).toEqual([]);
      expect(await leave('second', message('1', { answers: ['é\u0000', null] }))).toBe('left');
      expect(await leave('first', message('2'))).toBe('left');
      const left = [message('1', { answers: ['é\u0000', null] }), message('2')];
      expect(await take('first', mine)).toEqual(left);
      expect(await on('first', (s) => s.list())).toMatchObject([{ inbox: 2, held: true }]);
      expect(await on('second', (s) => s.read(named('a')))).toMatchObject({ inbox: 2, lines: [] });

      await on('first', (s) => s.release(mine));
      expect(await leave('second', message('3'))).toBe('left');
      const outcome = await on('second', (s) => s.claim(named('a')));
      if (outcome.type !== 'claimed') throw new Error(outcome.type);
      expect(outcome.call.inbox).toBe(3);
      expect(await take('second', outcome.claim)).toEqual([...left, message('3')]);
      await refused(take('first', mine), 'CLAIM_LOST');
    });

    test('what is taken goes with the write that says so: who dies before that loses none', async () => {
      const mine = await on('first', (s) => s.begin(newCall('a')));
      for (const id of ['1', '2', '3']) await leave('second', message(id));
      await on('first', (s) => s.append(mine, { at: 0, lines: ['answered'], taken: ['1', '3', 'unknown'] }));
      expect(await take('first', mine)).toEqual([message('2')]);
      ahead += 31_000;
      const theirs = await claimed('second');
      await refused(
        on('first', (s) => s.append(mine, { at: 1, taken: ['2'] })),
        'CLAIM_LOST',
      );
      expect(await take('second', theirs)).toEqual([message('2')]);
      await on('second', (s) => s.append(theirs, { at: 1, taken: ['2'], release: true }));
      expect(await on('first', (s) => s.read(named('a')))).toMatchObject({ inbox: 0, lines: ['answered'] });
    });

    test('a message that is left twice waits once; another of its id is refused', async () => {
      const mine = await on('first', (s) => s.begin(newCall('a')));
      await on('first', (s) => s.begin(newCall('b')));
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, (_, i) => leave(i % 2 ? 'first' : 'second', message('1'))),
      );
      expect(outcomes.toSorted()).toEqual([...Array(19).fill('again'), 'left']);
      expect(await leave('second', message('1', 'something else'))).toBe('other');
      expect(await leave('second', message('1', 'something else'), named('b'))).toBe('left');
      expect(await take('first', mine)).toEqual([message('1')]);
    });

    test('nothing is left for a call that is unknown or has ended', async () => {
      const mine = await on('first', (s) => s.begin(newCall('a')));
      await leave('second', message('early'));
      await on('first', (s) => s.append(mine, { at: 0, ended: true }));
      expect(await leave('second', message('1'))).toBe('closed');
      expect(await leave('second', message('1'), named('nobody'))).toBe('unknown');
      await on('first', (s) => s.forget(named('a')));
      expect(await leave('second', message('early'))).toBe('unknown');
      const again = await on('first', (s) => s.begin(newCall('a')));
      expect(await take('first', again)).toEqual([]);
    });

    test('an inbox holds so many messages and bytes; taking some makes room', async () => {
      await use({ callBytes: 20_000 });
      const mine = await on('first', (s) => s.begin(newCall('a')));
      expect(await leave('second', message('large', 'x'.repeat(6000)))).toBe('left');
      expect(await leave('second', message('larger', 'x'.repeat(15_000)))).toBe('full');
      expect(await leave('second', message('large', 'x'.repeat(6000)))).toBe('again');
      await on('first', (s) => s.append(mine, { at: 0, taken: ['large'] }));
      expect(await leave('second', message('larger', 'x'.repeat(15_000)))).toBe('left');
      await on('first', (s) => s.append(mine, { at: 0, taken: ['larger'] }));
      for (let i = 0; i < MOST_MESSAGES; i += 1) await leave('second', message(`${i}`));
      expect(await leave('second', message('one more'))).toBe('full');
      await on('first', (s) => s.append(mine, { at: 0, taken: ['7'] }));
      expect(await leave('second', message('one more'))).toBe('left');
    });

    test('ids and bodies may hold anything', async () => {
      const mine = await on('first', (s) => s.begin(newCall('a')));
      const all = ['', '../x', '\u0000', '__proto__', "','", 'ä'.repeat(5000)].map((id) => message(id));
      for (const one of all) expect(await leave('second', one)).toBe('left');
      expect(await take('first', mine)).toEqual(all);
      await on('first', (s) => s.append(mine, { at: 0, taken: all.map(({ id }) => id) }));
      expect(await take('first', mine)).toEqual([]);
    });

    test('a message is no sign of life, and who takes it up is looked for', async () => {
      await on('first', (s) => s.begin(newCall('a')));
      const other = await on('first', (s) => s.begin(newCall('b')));
      await leave('second', message('1'), named('b'));
      expect(await on('second', (s) => s.due())).toEqual([]);
      await on('first', (s) => s.release(other));
      ahead += 20_000;
      await leave('second', message('1'));
      expect(await on('second', (s) => s.due())).toEqual([{ name: named('b'), why: 'message' }]);
      ahead += 11_000;
      const due = await on('second', (s) => s.due());
      expect(due.toSorted((a, b) => (a.why < b.why ? 1 : -1))).toEqual([
        { name: named('a'), why: 'orphan' },
        { name: named('b'), why: 'message' },
      ]);
    });

    test('who watches a call is told what is left, and what others tell', { timeout: 20_000 }, async () => {
      const mine = await on('first', (s) => s.begin(newCall('a')));
      await on('first', (s) => s.begin(newCall('b')));
      let told = withResolvers<void>();
      const stop = store.first.watch(named('a'), () => told.resolve());
      // A store that has to begin listening says so once more than is needed.
      await leave('second', message('1'));
      await run(() => told.operation);
      expect(await take('first', mine)).toEqual([message('1')]);
      told = withResolvers<void>();
      await on('second', (s) => s.tell(named('a')));
      await run(() => told.operation);
      stop();
      let others = 0;
      const stopOthers = store.first.watch(named('b'), () => (others += 1));
      const seen = withResolvers<void>();
      const stopSeen = store.second.watch(named('a'), () => seen.resolve());
      await leave('second', message('2'));
      await run(() => seen.operation);
      stopOthers();
      stopSeen();
      expect(others).toBeLessThanOrEqual(1);
    });
  });

  describe(`${name} has bounds`, () => {
    test('beyond its number those that have ended give way, the oldest first, then new ones are refused', async () => {
      await use({ calls: 3 });
      for (const callId of ['a', 'b', 'c']) {
        const claim = await on('first', (s) => s.begin(newCall(callId)));
        ahead += 10;
        if (callId !== 'b') await on('first', (s) => s.append(claim, { at: 0, ended: true }));
        await on('first', (s) => s.release(claim));
      }
      await on('first', (s) => s.begin(newCall('d')));
      expect(await on('first', (s) => s.read(named('a')))).toBeUndefined();
      await on('first', (s) => s.begin(newCall('e')));
      expect(await on('first', (s) => s.read(named('c')))).toBeUndefined();

      await refused(
        on('first', (s) => s.begin(newCall('f'))),
        'STORE_FULL',
      );
      expect(await on('first', (s) => s.read(named('f')))).toBeUndefined();
      expect(await on('first', (s) => s.read(named('b')))).toBeDefined();
    });

    test('a principal who has too many loses none of another', async () => {
      await use({ share: 2 });
      const bob = await on('first', (s) =>
        s.begin(newCall('', { name: named('x', { principal: 'bob' }), ended: true })),
      );
      await on('first', (s) => s.release(bob));
      await on('first', (s) => s.begin(newCall('a')));
      await on('first', (s) => s.begin(newCall('b')));

      await refused(
        on('first', (s) => s.begin(newCall('c'))),
        'STORE_FULL',
      );
      expect(await on('first', (s) => s.read(named('x', { principal: 'bob' })))).toBeDefined();
    });

    const wait = async (callId: string, principal: string, size = 10, ended = false) => {
      const name = named(callId, { principal });
      const claim = await on('first', (s) =>
        s.begin(newCall('', { name, lines: ['x'.repeat(size)], ...(ended && { ended }) })),
      );
      await on('first', (s) => s.release(claim));
      ahead += 10;
      return name;
    };
    const isThere = async (name: CallName) => (await on('first', (s) => s.read(name))) !== undefined;

    test('two principals at their shares leave room for a third: the oldest that waits of who has most gives way', async () => {
      await use({ calls: 6, share: 3 });
      const bobs = [await wait('a', 'bob'), await wait('b', 'bob'), await wait('c', 'bob')];
      const eves = [await wait('a', 'eve'), await wait('b', 'eve'), await wait('c', 'eve')];
      const ada = await wait('a', 'ada');
      const joe = await wait('a', 'joe');
      expect(await Promise.all([ada, joe].map(isThere))).toEqual([true, true]);
      expect(await Promise.all(bobs.map(isThere))).toEqual([false, true, true]);
      expect(await Promise.all(eves.map(isThere))).toEqual([false, true, true]);
      // Of as few as it would have itself nobody loses one, and of its own neither.
      await refused(wait('b', 'ada'), 'STORE_FULL');
      expect(await isThere(ada)).toBe(true);
      // What has ended goes before what waits, and what is held never.
      const held = await on('second', (s) => s.claim(bobs[1] as CallName));
      expect(held.type).toBe('claimed');
      await on('first', (s) => s.forget(eves[2] as CallName));
      const over = await wait('d', 'eve', 10, true);
      await wait('a', 'kim');
      expect(await isThere(over)).toBe(false);
      expect(await isThere(bobs[1] as CallName)).toBe(true);
    });

    test('bytes have a share, too: who has most of them gives way, and nobody has more than a share', async () => {
      await use({ bytes: 34_000, shareBytes: 24_000 });
      const bobs = [await wait('a', 'bob', 9_000), await wait('b', 'bob', 9_000)];
      await refused(wait('c', 'bob', 9_000), 'STORE_FULL');
      await wait('a', 'eve', 9_000);
      const ada = await wait('a', 'ada', 9_000);
      expect(await Promise.all([...bobs, ada].map(isThere))).toEqual([false, true, true]);
    });

    test('a call that outgrows its size is told so, and keeps what it has', async () => {
      await use({ callBytes: 4000 });
      const claim = await on('first', (s) => s.begin(newCall('a', { lines: ['kept'] })));
      await refused(
        on('first', (s) => s.append(claim, { at: 1, lines: ['x'.repeat(5000)] })),
        'STORE_FULL',
      );
      await refused(
        on('first', (s) => s.appendEvents(claim, { events: ['x'.repeat(5000)] })),
        'STORE_FULL',
      );
      await refused(
        on('first', (s) => s.begin(newCall('b', { lines: ['x'.repeat(5000)] }))),
        'STORE_FULL',
      );
      await on('first', (s) => s.append(claim, { at: 1, lines: ['small'] }));
      expect(await lines()).toEqual(['kept', 'small']);
      await on('first', (s) => s.release(claim));
      await claimed('second');
    });

    test('what nobody touches is thrown away in the end', async () => {
      await use({ age: 10 * MINUTE });
      const claim = await on('first', (s) => s.begin(newCall('a')));
      await on('first', (s) => s.release(claim));
      const held = await on('first', (s) => s.begin(newCall('b')));
      ahead += 9 * MINUTE;
      await on('first', (s) => s.renew(held));
      ahead += 2 * MINUTE;
      await on('first', (s) => s.due());

      expect(await on('first', (s) => s.read(named('a')))).toBeUndefined();
      expect(await on('first', (s) => s.read(named('b')))).toBeDefined();
    });

    test('a thousand calls at once', { timeout: 60_000 }, async () => {
      const ids = Array.from({ length: 1000 }, (_, i) => `call ${i}`);
      await Promise.all(
        ids.map(async (callId, i) => {
          const which = i % 2 ? 'first' : 'second';
          const claim = await on(which, (s) => s.begin(newCall(callId)));
          await on(which, (s) => s.append(claim, { at: 0, lines: [callId] }));
          await on(which, (s) => s.release(claim));
        }),
      );
      const all = await on('first', (s) => s.list({ limit: 2000 }));
      expect(all.map(({ name: { callId } }) => callId).sort()).toEqual([...ids].sort());
      for (const callId of ids.filter((_, i) => i % 100 === 0))
        expect(await lines(named(callId))).toEqual([callId]);
    });
  });
}

/** A promise that is refused with an error of this code. */
export async function refused(
  promise: Promise<unknown>,
  code: Parameters<typeof isParleyError>[1],
): Promise<void> {
  const error = await promise.then(
    () => undefined,
    (cause: unknown) => cause,
  );
  if (!isParleyError(error, code))
    throw new Error(`expected ${code}, not ${String(error)}`, { cause: error });
}
