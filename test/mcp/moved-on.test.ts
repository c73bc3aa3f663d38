import { randomBytes } from 'node:crypto';
import { run, until } from 'effection';
import { createMcpTool } from 'parley-mcp';
import type { McpServerOptions } from 'parley-mcp/server';
import { createSqliteStore } from 'parley-mcp/stores';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { CallStore } from '#src/runtime/journal/call-store.ts';
import { ClaimedCall } from '#src/runtime/manager/claimed-call.ts';
import { createSessionManager } from '#src/runtime/manager/session-manager.ts';
import { plan, release } from './kit/durable-tools.ts';
import { type InProcess, startServer } from './kit/in-process.ts';
import { ownFolder } from './kit/own-folder.ts';
import { accept, leg, openSession } from './kit/wire.ts';

const own = ownFolder();

const keys = [randomBytes(32)];
const store = (): CallStore => createSqliteStore({ folder: own.path, keys });

async function start(options: Partial<McpServerOptions> = {}): Promise<InProcess> {
  const server = await startServer({ tools: [release, plan], state: store(), ...options });
  own.ending(server);
  return server;
}

const releasing = () => ({ name: 'release', arguments: { log: own.log } });

/** Somebody goes back to a question of the one call there is, where it is kept. */
function goBackInStore(askId: string) {
  return run(function* () {
    const kept = store();
    const [found] = yield* kept.list({ ended: false });
    if (!found) throw new Error('no call');
    const outcome = yield* kept.claim(found.name);
    if (outcome.type !== 'claimed') throw new Error(outcome.type);
    const call = yield* kept.read(found.name);
    if (!call) throw new Error('no call');
    const { header, lines, lineCount } = call;
    const held = new ClaimedCall(kept, outcome.claim, lineCount);
    const manager = yield* createSessionManager();
    const session = yield* manager.resume({ tool: plan, journal: { header, lines }, sink: held.sink });
    yield* session.rewind(askId);
    yield* manager.release(found.name);
    yield* held.release();
  });
}

describe.each(['in a store', 'in memory'])('a call %s that went back to an earlier question', (where) => {
  it('gives no answer of before to its tool: its client is asked where the call is now', async () => {
    await run(function* () {
      const manager = yield* createSessionManager();
      const options = where === 'in memory' ? { manager, state: 'memory' as const } : {};
      const server = yield* until(start(options));
      const call = { name: 'plan', arguments: { to: 'LIS' } };
      const one = yield* until(leg(server, call));
      const two = yield* until(leg(server, call, one, { day: accept({ day: 'monday' }) }));
      expect(two.result.inputRequests).toHaveProperty('seat');
      if (where === 'in memory') yield* manager.listActive()[0]?.rewind('elicit-1') ?? [];
      else yield* until(goBackInStore('elicit-1'));

      // The answers of a page that does not know of it yet, to the question that it shows and to the one before.
      const old = { seat: accept({ row: 7 }), day: accept({ day: 'sunday' }) };
      const now = yield* until(leg(server, call, two, old));
      expect(now.result.inputRequests).toEqual({
        'day#2': expect.objectContaining({ params: expect.objectContaining({ message: 'When to LIS?' }) }),
      });
      const { error } = yield* until(leg(server, call, one, { day: accept({ day: 'sunday' }) }));
      expect(error).toMatchObject({ code: -32602 });
      const next = yield* until(leg(server, call, now, { 'day#2': accept({ day: 'friday' }) }));
      expect(next.result.inputRequests).toMatchObject({
        'seat#2': { params: { message: 'Which row on friday?' } },
      });
    });
  });

  it('forgets what was answered before its question: that was said of what was taken back', async () => {
    await run(function* () {
      const manager = yield* createSessionManager();
      const options = where === 'in memory' ? { manager, state: 'memory' as const } : {};
      const server = yield* until(start(options));
      const call = { name: 'plan', arguments: { to: 'LIS' } };
      const one = yield* until(leg(server, call));
      const yes = { sure: accept({ sure: true }) };
      const two = yield* until(leg(server, call, one, { day: accept({ day: 'monday' }), ...yes }));
      if (where === 'in memory') yield* manager.listActive()[0]?.rewind('elicit-1') ?? [];
      else yield* until(goBackInStore('elicit-1'));

      // Nor does it take any from who does not know of it yet.
      const now = yield* until(leg(server, call, two, { seat: accept({ row: 7 }), ...yes }));
      expect(Object.keys(now.result.inputRequests)).toEqual(['day#2']);
      const next = yield* until(leg(server, call, now, { 'day#2': accept({ day: 'friday' }) }));
      const last = yield* until(leg(server, call, next, { 'seat#2': accept({ row: 9 }) }));
      expect(last.result.inputRequests).toMatchObject({ sure: { params: { message: 'Row 9 on friday?' } } });
    });
  });
});

describe('a tool that changed while its calls wait (a rolling deploy)', () => {
  const changed = (question: string) =>
    createMcpTool('release')
      .description('Releases a version, differently')
      .parameters(z.object({ log: z.string() }))
      .durable()
      .elicits({ version: z.object({ version: z.string() }), sure: z.object({ sure: z.boolean() }) })
      .execute(function* (_, ctx) {
        yield* ctx.step('read', () => 'read');
        const { version } = yield* ctx.elicit.strict('version', { message: question });
        return `new ${version}`;
      });

  it('each of its calls goes on where it asked the same, and says why not where it did not', async () => {
    const before = await start();
    const [one, other] = [await leg(before, releasing()), await leg(before, releasing())];
    const same = await start({ tools: [changed('Which version?')] });
    const answers = { version: accept({ version: '1.0' }) };
    expect((await leg(same, releasing(), one, answers)).result).toMatchObject({
      content: [{ text: 'new 1.0' }],
    });
    const different = await start({ tools: [changed('Which tag?')] });
    const end = await leg(different, releasing(), other, answers);
    expect(end.result).toMatchObject({ isError: true });
    expect(end.result.content[0].text).toMatch(
      /cannot resume.*asked the user “Which version\?”.*now it asks the user “Which tag\?”/s,
    );
    // What it did is done; nothing is done twice.
    expect(await own.effects()).toHaveLength(2);
  });

  it('a call of a tool that is not there any more says so, and is there for the server that has it', async () => {
    const before = await start();
    const one = await leg(before, releasing());
    const without = await start({ tools: [plan] });
    const answers = { version: accept({ version: '1.0' }) };
    expect((await leg(without, releasing(), one, answers)).error).toMatchObject({
      message: 'Unknown tool: release',
    });
    expect((await leg(await start(), releasing(), one, answers)).result.inputRequests).toHaveProperty('sure');
  });
});

describe('a call of a 2025-era client that went back to an earlier question', () => {
  it.each([
    ['in memory', false],
    ['in a store', true],
  ])('gives no answer to the question of before to its tool: %s', async (_, kept) => {
    await run(function* () {
      const manager = yield* createSessionManager();
      const server = yield* until(start({ manager, state: kept ? store() : 'memory' }));
      const session = yield* until(openSession(server.url));
      const call = { name: 'plan', arguments: { to: 'LIS' } };
      const stream = yield* until(session.request(7, 'tools/call', call));
      const asked = () => until(stream.until(({ method }) => method === 'elicitation/create'));
      const first = yield* asked();
      yield* until(session.answer(first.id ?? '', accept({ day: 'monday' })));
      const second = yield* asked();
      yield* manager.listActive()[0]?.rewind('elicit-1') ?? [];

      const again = yield* asked();
      expect(again.params.message).toBe('When to LIS?');
      expect([first.id, second.id]).not.toContain(again.id);
      // Pages that do not know of it yet.
      yield* until(session.answer(second.id ?? '', accept({ row: 7 })));
      yield* until(session.answer(first.id ?? '', accept({ day: 'sunday' })));
      yield* until(session.answer(again.id ?? '', accept({ day: 'friday' })));
      expect((yield* asked()).params.message).toBe('Which row on friday?');
    });
  });
});
