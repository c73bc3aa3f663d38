import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { race, run, sleep, suspend, withResolvers } from 'effection';
import { createMcpTool } from 'parley-mcp';
import type { McpServerOptions } from 'parley-mcp/server';
import { createMemoryStore, createSqliteStore } from 'parley-mcp/stores';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { both, later, long, pays, paysAgain, plain, plan, release } from './kit/durable-tools.ts';
import { as, type InProcess, startServer, tokensOf } from './kit/in-process.ts';
import { ownFolder } from './kit/own-folder.ts';
import { accept, ask, leg, type Message } from './kit/wire.ts';

const tools = [release, plan, plain, later, both, pays, paysAgain, long];
const own = ownFolder();

async function start(options: Partial<McpServerOptions>, tokens?: readonly string[]): Promise<InProcess> {
  const handler = tokens && { tokens: tokensOf(...tokens) };
  const server = await startServer({ tools, ...options }, handler);
  own.ending(server);
  return server;
}

const planning = { name: 'plan', arguments: { to: 'LIS' } };
const releasing = () => ({ name: 'release', arguments: { log: own.log } });

const keys = [randomBytes(32)];
const stored = () => ({ state: createSqliteStore({ folder: own.path, keys }) });
const carried = () => ({ state: 'carried' as const, stateKeys: keys });
const badState = { code: -32602, data: { reason: 'invalid_request_state' } };

describe.each([
  ['carried by its client', carried],
  ['in a store', stored],
])('a call %s', (_, options) => {
  it('goes on at another server with each leg', async () => {
    const servers = [
      await start(options()),
      await start(options()),
      await start(options()),
      await start(options()),
    ];
    const [a, b, c, d] = servers as [InProcess, InProcess, InProcess, InProcess];
    const one = await leg(a, planning);
    expect(one.result.inputRequests).toMatchObject({ day: { params: { message: 'When to LIS?' } } });
    const two = await leg(b, planning, one, { day: accept({ day: 'monday' }) });
    expect(two.result.inputRequests).toMatchObject({ seat: { params: { message: 'Which row on monday?' } } });
    const three = await leg(c, planning, two, { seat: accept({ row: 7 }) });
    const end = await leg(d, planning, three, { sure: accept({ sure: true }) });
    expect(end.result).toMatchObject({ resultType: 'complete', content: [{ text: 'LIS monday 7 true' }] });
  });

  it('asks again where an answer does not fit, also at another server, and counts how often', async () => {
    const [a, b] = [await start(options()), await start(options())];
    let last = await leg(a, planning);
    last = await leg(b, planning, last, { day: accept({ day: 'monday' }) });
    for (const server of [a, b]) {
      last = await leg(server, planning, last, { seat: accept({ row: 99 }) });
      expect(last.result.inputRequests.seat.params.message).toMatch(
        /^row: [\s\S]*\n\nWhich row on monday\?$/,
      );
    }
    last = await leg(a, planning, last, { seat: accept({ row: 99 }) });
    expect(last.result).toMatchObject({ isError: true });
  });

  it('keeps an answer that came before its question', async () => {
    const [a, b] = [await start(options()), await start(options())];
    const one = await leg(a, planning, undefined, { seat: accept({ row: 7 }) });
    const two = await leg(b, planning, one, { day: accept({ day: 'monday' }) });
    expect(two.result.inputRequests).toMatchObject({ sure: { params: { message: 'Row 7 on monday?' } } });
  });

  it('gives the same response to the same request again, here and elsewhere', async () => {
    const [a, b] = [await start(options()), await start(options())];
    const one = await leg(a, planning);
    const answers = { day: accept({ day: 'monday' }) };
    let two = await leg(a, planning, one, answers);
    for (const server of [a, b]) {
      const again = await leg(server, planning, one, answers);
      expect(again.result.inputRequests).toEqual(two.result.inputRequests);
      two = again;
    }
    const next = await leg(b, planning, two, { seat: accept({ row: 7 }) });
    expect(next.result.inputRequests).toMatchObject({ sure: { params: { message: 'Row 7 on monday?' } } });
  });

  it('is for who made it, with what it was made with', async () => {
    const server = await start(options(), ['ann', 'bob']);
    const one = await leg(server, planning, undefined, undefined, as('ann'));
    const answers = { day: accept({ day: 'monday' }) };
    const other = { name: 'plan', arguments: { to: 'OPO' } };
    expect((await leg(server, planning, one, answers, as('bob'))).error).toMatchObject(badState);
    expect((await leg(server, other, one, answers, as('ann'))).error).toMatchObject(badState);
    expect((await leg(server, planning, one, answers, as('ann'))).result.inputRequests).toHaveProperty(
      'seat',
    );
  });

  it('leaves nothing behind while it waits', async () => {
    const server = await start(options());
    for (let i = 0; i < 5; i += 1) await leg(server, planning);
    expect(await server.holdings()).toEqual([]);
  });

  it('stays in its process when its tool is neither durable nor read-only', async () => {
    const [a, b] = [await start(options()), await start(options())];
    const one = await leg(a, { name: 'plain', arguments: {} });
    const answers = { name: accept({ name: 'ann' }) };
    const elsewhere = await leg(b, { name: 'plain', arguments: {} }, one, answers);
    // With a store, the other process hands it on to that one.
    if (typeof options().state === 'object')
      expect(elsewhere.result).toMatchObject({ content: [{ text: 'hello ann' }] });
    else
      expect(elsewhere.error).toMatchObject({
        ...badState,
        message: expect.stringContaining('.durable()'),
      });
    expect((await leg(a, { name: 'plain', arguments: {} }, one, answers)).result).toMatchObject({
      content: [{ text: 'hello ann' }],
    });
  });
});

describe('a call in a store', () => {
  it('runs its steps once, wherever it goes on', async () => {
    const [a, b, c] = [await start(stored()), await start(stored()), await start(stored())];
    const one = await leg(a, releasing());
    const two = await leg(b, releasing(), one, { version: accept({ version: '1.0' }) });
    const end = await leg(c, releasing(), two, { sure: accept({ sure: true }) });
    expect(end.result).toMatchObject({ content: [{ text: 'released 1.0: true' }] });
    expect((await own.effects()).map((line) => line.replace(/ \S+$/, ''))).toEqual([
      'read',
      'tag 1.0',
      'publish 1.0',
    ]);
    expect(await leg(a, releasing(), two, { sure: accept({ sure: true }) })).toMatchObject({
      result: end.result,
    });
    expect(await own.effects()).toHaveLength(3);
  });

  it('is not put away while a step is about to begin, however long writing that down takes', async () => {
    const slow = createSqliteStore({ folder: own.path, keys });
    const { append } = slow;
    slow.append = function* (claim, what) {
      yield* sleep(30);
      yield* append.call(slow, claim, what);
    };
    const server = await start({ state: slow });
    const both = { name: 'both', arguments: { log: own.log } };
    const one = await leg(server, both);
    expect(Object.keys(one.result.inputRequests).sort()).toEqual(['hotel', 'seat']);
    const hotel = { role: 'assistant', content: { type: 'text', text: 'Ritz' }, model: 'm' };
    const two = await leg(server, both, one, { hotel });
    expect(Object.keys(two.result.inputRequests)).toEqual(['seat']);
    expect(await own.effects()).toHaveLength(1);
  });

  it('goes on once when two servers are given the same answers at once, and both give the same response', async () => {
    const [a, b] = [await start(stored()), await start(stored())];
    const one = await leg(a, releasing());
    const answers = { version: accept({ version: '1.0' }) };
    const both = await Promise.all([a, b, a, b].map((server) => leg(server, releasing(), one, answers)));
    for (const { result } of both) expect(result).toEqual(both[0]?.result);
    expect(await own.effects()).toHaveLength(2);
  });

  it('goes on with one of two different answers, and tells the other', async () => {
    const [a, b] = [await start(stored()), await start(stored())];
    const one = await leg(a, releasing());
    const both = await Promise.all([
      leg(a, releasing(), one, { version: accept({ version: '1.0' }) }),
      leg(b, releasing(), one, { version: accept({ version: '2.0' }) }),
    ]);
    expect(both.filter(({ result }) => result)).toHaveLength(1);
    expect(both.find(({ error }) => error)?.error).toMatchObject({
      code: -32602,
      message: expect.stringContaining('already answered with other answers'),
    });
    expect(await own.effects()).toHaveLength(2);
  });

  it('refuses a state that is used up, made up, or of a call that is not there', async () => {
    const server = await start(stored());
    const one = await leg(server, planning);
    const two = await leg(server, planning, one, { day: accept({ day: 'monday' }) });
    const three = await leg(server, planning, two, { seat: accept({ row: 7 }) });
    const { requestState } = three.result;
    const [s, id, ticket = ''] = requestState.split('.');
    for (const state of [
      one.result.requestState,
      `${s}.${id}.${'A'.repeat(ticket.length)}`,
      `${s}.${Buffer.from('call_none').toString('base64url')}.${ticket}`,
      `${s}.${'A'.repeat(5000)}.${ticket}`,
    ]) {
      const { error } = await ask(server.url, 'tools/call', {
        ...planning,
        requestState: state,
        inputResponses: {},
      });
      expect(error).toMatchObject(badState);
    }
  });

  it('goes on by itself when its time has come, and its client gets what came of it', {
    timeout: 60_000,
    tags: 'long',
  }, async () => {
    const a = await start(stored());
    const call = { name: 'later', arguments: { log: own.log, milliseconds: 300 } };
    const one = await leg(a, call);
    expect(one.result.inputRequests).toHaveProperty('stop');
    expect(await a.holdings()).toEqual([]);
    await expect.poll(() => own.effects().catch(() => []), { timeout: 30_000 }).toHaveLength(1);
    const b = await start(stored());
    const end = await leg(b, call, one, { stop: accept({ stop: true }) });
    expect(end.result).toMatchObject({ content: [{ text: 'done' }] });
    expect(await own.effects()).toHaveLength(1);
  });

  it('that a server has taken up by itself does not keep it from ending, and is given back', {
    timeout: 60_000,
  }, async () => {
    const began = withResolvers<void>();
    const endless = createMcpTool('endless')
      .description('Comes to a step that never ends')
      .parameters(z.object({}))
      .durable()
      .elicits({ stop: z.object({ stop: z.boolean() }) })
      .execute(function* (_, ctx) {
        const how = yield* race([
          ctx.elicit.strict('stop', { message: 'Stop it?' }),
          (function* () {
            // Longer than its first request takes, which would wait for the step.
            yield* ctx.sleep(500);
            yield* ctx.step('endless', function* () {
              began.resolve();
              yield* suspend();
            });
            return { stop: false };
          })(),
        ]);
        return how.stop ? 'stopped' : 'done';
      });
    const store = createMemoryStore();
    const server = await startServer({ tools: [endless], state: store });
    const one = await leg(server, { name: 'endless', arguments: {} });
    expect(one.result.inputRequests).toHaveProperty('stop');
    await run(() => began.operation);
    await server.close();
    const [kept] = await run(() => store.list());
    expect(kept).toMatchObject({ held: false, ended: false });
  });

  it('whose journal is damaged is to be made again, and not later', async () => {
    const server = await start(stored());
    const one = await leg(server, planning);
    const db = new DatabaseSync(join(own.path, 'calls.db'));
    db.exec('update contents set head = notes');
    db.close();
    const { error } = await leg(server, planning, one, { day: accept({ day: 'monday' }) });
    expect(error).toMatchObject(badState);
    expect(server.problems.join()).toContain('could not be saved');
  });

  it('has a share: a third principal has room, and what only reads and asks nothing runs in a full store', async () => {
    const says = createMcpTool('says')
      .description('Says it')
      .parameters(z.object({}))
      .annotations({ readOnlyHint: true })
      .elicits({})
      .execute(function* () {
        return 'said';
      });
    const store = createMemoryStore({ bounds: { calls: 4, share: 2 } });
    const server = await start({ state: store, tools: [...tools, says] }, ['bob', 'eve', 'ada']);
    const begun = new Map<string, Message[]>();
    for (const who of ['bob', 'eve'])
      for (let n = 0; n < 2; n++) {
        const one = await leg(server, planning, undefined, undefined, as(who));
        begun.set(who, [...(begun.get(who) ?? []), one]);
      }
    const { error } = await leg(server, planning, undefined, undefined, as('bob'));
    expect(error).toMatchObject({ message: expect.stringContaining('has reached its storage limit') });
    for (const who of ['bob', 'eve', 'ada']) {
      const { result } = await leg(server, { name: 'says', arguments: {} }, undefined, undefined, as(who));
      expect(result).toMatchObject({ content: [{ text: 'said' }] });
    }
    expect(await run(() => store.list())).toHaveLength(4);
    const ada = await leg(server, planning, undefined, undefined, as('ada'));
    expect(ada.result.inputRequests).toHaveProperty('day');
    // Who has most has lost the oldest, and nothing else.
    const answers = { day: accept({ day: 'monday' }) };
    const [gone, kept] = begun.get('bob') ?? [];
    expect((await leg(server, planning, gone, answers, as('bob'))).error).toMatchObject(badState);
    expect((await leg(server, planning, kept, answers, as('bob'))).result.inputRequests).toHaveProperty(
      'seat',
    );
  });

  it('says when calls cannot be saved, without a word of where', async () => {
    const store = createMemoryStore({ bounds: { calls: 1 } });
    const server = await start({ state: store });
    await leg(server, planning);
    const { error } = await leg(server, planning);
    expect(error).toMatchObject({ message: expect.stringContaining('has reached its storage limit') });
    expect(server.problems.join()).toContain('1 calls wait already');
  });
});

describe('a call that its client carries', () => {
  it('has its step that does more than read refused, however often and wherever its answers are sent', async () => {
    const [a, b] = [await start(carried()), await start(carried())];
    const call = { name: 'pays', arguments: { log: own.log } };
    const one = await leg(a, call);
    for (const at of [a, b, a, a]) {
      const { result } = await leg(at, call, one, { sure: accept({ sure: true }) });
      expect(result).toMatchObject({
        isError: true,
        content: [{ text: expect.stringMatching(/step 'pay' does more than read.*forks: true/) }],
      });
    }
    expect(await own.effects()).toEqual(['looked']);
  });

  it('has it refused before anything is asked, too; in memory it runs once', async () => {
    const { result } = await leg(await start(carried()), releasing());
    expect(result).toMatchObject({ isError: true });
    const one = await leg(await start({}), releasing());
    expect(one.result.inputRequests).toHaveProperty('version');
    expect(await own.effects()).toHaveLength(1);
  });

  it('runs its step in each fork where the author said forks', async () => {
    const [a, b] = [await start(carried()), await start(carried())];
    const call = { name: 'pays_again', arguments: { log: own.log } };
    const one = await leg(a, call);
    for (const at of [a, b])
      expect((await leg(at, call, one, { sure: accept({ sure: true }) })).result).toMatchObject({
        content: [{ text: 'paid' }],
      });
    expect((await own.effects()).filter((line) => line === 'paid')).toHaveLength(2);
  });

  it('stays in memory, with one warning, when its state would be too long', async () => {
    const [a, b] = [await start(carried()), await start(carried())];
    const call = { name: 'long', arguments: { text: randomBytes(40_000).toString('base64') } };
    const one = await leg(a, call);
    await leg(a, call);
    const answers = { name: accept({ name: 'ann' }) };
    expect((await leg(b, call, one, answers)).error).toMatchObject(badState);
    expect((await leg(a, call, one, answers)).result).toMatchObject({ content: [{ text: 'hello ann' }] });
    expect(a.problems.filter((problem) => problem.includes('stays in the memory'))).toHaveLength(1);
  });

  it('is taken back to an older leg by an older state, and by nothing else; what came later never leaks into it', async () => {
    const [a, b] = [await start(carried()), await start(carried())];
    const one = await leg(a, planning);
    const two = await leg(b, planning, one, { day: accept({ day: 'monday' }) });
    const three = await leg(a, planning, two, { seat: accept({ row: 7 }) });
    const end = await leg(b, planning, three, { sure: accept({ sure: true }) });
    // The whole way again from its first leg, with other answers: another call by now.
    const other = await leg(a, planning, one, { day: accept({ day: 'friday' }) });
    expect(other.result.inputRequests).toMatchObject({
      seat: { params: { message: 'Which row on friday?' } },
    });
    // An answer to a question that this leg has not come to waits for it, as one that comes early does.
    const early = await leg(b, planning, one, { sure: accept({ sure: true }) });
    expect(Object.keys(early.result.inputRequests)).toEqual(['day']);
    // After its end each state still stands for its leg alone.
    const again = await leg(a, planning, three, { sure: accept({ sure: true }) });
    expect(again.result).toEqual(end.result);
    const denied = await leg(b, planning, three, { sure: accept({ sure: false }) });
    expect(denied.result).toMatchObject({ content: [{ text: 'LIS monday 7 false' }] });
  });

  it('is no call of another, whoever swaps their states: answers go to the call whose state comes with them', async () => {
    const at = await start(carried());
    const oslo = { name: 'plan', arguments: { to: 'OSL' } };
    const [mine, theirs] = [await leg(at, planning), await leg(at, oslo)];
    const answers = { day: accept({ day: 'monday' }) };
    for (const [call, state] of [
      [planning, theirs],
      [oslo, mine],
      [{ ...planning, name: 'both' }, mine],
    ] as const)
      expect((await leg(at, call, state, answers)).error).toMatchObject(badState);
    // Halves of two states make none.
    const [head, tail] = [mine, theirs].map(({ result }) => String(result.requestState)) as [string, string];
    for (const cut of [head.length >> 1, head.lastIndexOf('.') + 1, 1]) {
      const mixed = { result: { requestState: head.slice(0, cut) + tail.slice(cut) } } as Message;
      expect((await leg(at, planning, mixed, answers)).error).toMatchObject(badState);
    }
  });

  it('goes on over a change of keys, and no longer than the key that sealed it is there', async () => {
    const [old, next] = [keys[0], randomBytes(32)] as [Buffer, Buffer];
    const before = await start(carried());
    const one = await leg(before, planning);
    const both = await start({ state: 'carried', stateKeys: [next, old] });
    const two = await leg(both, planning, one, { day: accept({ day: 'monday' }) });
    const after = await start({ state: 'carried', stateKeys: [next] });
    const seat = { seat: accept({ row: 7 }) };
    expect((await leg(after, planning, two, seat)).result.inputRequests).toHaveProperty('sure');
    expect((await leg(after, planning, one, { day: accept({ day: 'monday' }) })).error).toMatchObject(
      badState,
    );
    expect((await leg(before, planning, two, seat)).error).toMatchObject(badState);
  });

  it('needs a key', async () => {
    await expect(start({ state: 'carried' })).rejects.toThrow('at least one key');
  });
});
