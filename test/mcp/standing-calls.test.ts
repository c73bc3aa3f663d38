import { randomBytes } from 'node:crypto';
import { appendFile } from 'node:fs/promises';
import { ensure, race, until } from 'effection';
import { createMcpTool } from 'parley-mcp';
import type { McpServerOptions } from 'parley-mcp/server';
import { createSqliteStore } from 'parley-mcp/stores';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { plan } from './kit/durable-tools.ts';
import { as, type InProcess, startServer, tokensOf } from './kit/in-process.ts';
import { ownFolder } from './kit/own-folder.ts';
import { accept, ask, leg } from './kit/wire.ts';

const own = ownFolder();
const keys = [randomBytes(32)];

/** Says each time that its code begins and ends. */
const traced = createMcpTool('traced')
  .description('Asks twice')
  .parameters(z.object({ log: z.string() }))
  .durable()
  .elicits({ first: z.object({ text: z.string() }), second: z.object({ text: z.string() }) })
  .execute(function* ({ log }, ctx) {
    yield* until(appendFile(log, 'begun\n'));
    yield* ensure(() => until(appendFile(log, 'ended\n')));
    const { text: first } = yield* ctx.elicit.strict('first', { message: 'First?' });
    const { text: second } = yield* ctx.elicit.strict('second', { message: 'Second?' });
    return `${first} ${second}`;
  });

/** Asks, and has something to do soon. */
const naps = createMcpTool('naps')
  .description('Asks and sleeps')
  .parameters(z.object({ log: z.string() }))
  .durable({ forks: true })
  .elicits({ first: z.object({ text: z.string() }) })
  .execute(function* ({ log }, ctx) {
    yield* ensure(() => until(appendFile(log, 'ended\n')));
    yield* race([
      ctx.elicit('first', { message: 'First?' }),
      (function* () {
        yield* ctx.sleep(400);
        yield* ctx.step('due', () => until(appendFile(log, 'due\n')));
      })(),
    ]);
    return 'done';
  });

const carried = () => ({ state: 'carried' as const, stateKeys: keys });
const stored = () => ({ state: createSqliteStore({ folder: own.path, keys }) });

async function starting(
  state: Pick<McpServerOptions, 'state' | 'stateKeys'>,
  tokens?: readonly string[],
): Promise<InProcess> {
  const server = await startServer(
    { tools: [traced, plan, naps], ...state },
    tokens && { tokens: tokensOf(...tokens) },
  );
  own.ending(server);
  return server;
}

const tracing = () => ({ name: 'traced', arguments: { log: own.log } });
const first = { first: accept({ text: 'a' }) };
const second = { second: accept({ text: 'b' }) };

describe.each([
  ['that its client carries', carried],
  ['in a store', stored],
])('a call %s', (_, state) => {
  const start = (tokens?: readonly string[]) => starting(state(), tokens);

  it('is for who made it, with what it was made with, also where it stands', async () => {
    const server = await start(['ann', 'bob']);
    const planning = { name: 'plan', arguments: { to: 'LIS' } };
    const one = await leg(server, planning, undefined, undefined, as('ann'));
    const answers = { day: accept({ day: 'monday' }) };
    const bad = { code: -32602, data: { reason: 'invalid_request_state' } };
    expect((await leg(server, planning, one, answers, as('bob'))).error).toMatchObject(bad);
    const other = { name: 'plan', arguments: { to: 'OPO' } };
    expect((await leg(server, other, one, answers, as('ann'))).error).toMatchObject(bad);
    const two = await leg(server, planning, one, answers, as('ann'));
    expect(two.result.inputRequests).toHaveProperty('seat');
  });

  it('gives one response to one request that comes many times at once', async () => {
    const server = await start();
    const one = await leg(server, tracing());
    const all = await Promise.all(Array.from({ length: 5 }, () => leg(server, tracing(), one, first)));
    for (const { result } of all) {
      expect(Object.keys(result.inputRequests)).toEqual(['second']);
      const { requestState } = result;
      const end = await ask(server.url, 'tools/call', { ...tracing(), requestState, inputResponses: second });
      expect(end.result).toMatchObject({ content: [{ text: 'a b' }] });
    }
  });
});

describe('a call in a store', () => {
  const start = (tokens?: readonly string[]) => starting(stored(), tokens);

  it('goes on where it stood a moment ago, without running again', async () => {
    const server = await start();
    const one = await leg(server, tracing());
    const two = await leg(server, tracing(), one, first);
    expect(await server.holdings()).toEqual([]);
    const end = await leg(server, tracing(), two, second);
    expect(end.result).toMatchObject({ content: [{ text: 'a b' }] });
    expect(await own.effects()).toEqual(['begun', 'ended']);
  });

  it('goes on anew after it was elsewhere: what stood here is put away first', async () => {
    const [a, b] = [await start(), await start()];
    const one = await leg(a, tracing());
    const two = await leg(b, tracing(), one, first);
    expect(await own.effects()).toEqual(['begun', 'begun']);
    const end = await leg(a, tracing(), two, second);
    expect(end.result).toMatchObject({ content: [{ text: 'a b' }] });
    expect(await own.effects()).toEqual(['begun', 'begun', 'ended', 'begun', 'ended']);
  });

  it('is put away when its principal is gone', async () => {
    const server = await start(['ann']);
    await leg(server, tracing(), undefined, undefined, as('ann'));
    expect(await own.effects()).toEqual(['begun']);
    await server.dismiss('ann', 'the token was reset');
    await expect.poll(() => own.effects()).toEqual(['begun', 'ended']);
  });
});

describe('a call that its client carries', () => {
  it('does nothing while its client has its state: what is due is done with its next request', async () => {
    const server = await starting(carried());
    const call = { name: 'naps', arguments: { log: own.log } };
    const one = await leg(server, call);
    expect(one.result.inputRequests).toHaveProperty('first');
    expect(await server.holdings()).toEqual([]);
    // Each goes on from there, and comes to the same as long as it is not due.
    const done = { result: expect.objectContaining({ content: [{ type: 'text', text: 'done' }] }) };
    await expect.poll(() => leg(server, call, one, {})).toMatchObject(done);
    expect((await own.effects()).filter((line) => line === 'due')).toHaveLength(1);
  });
});

describe('a call whose request is open when its server stops', () => {
  it('goes on at another with the same request', async () => {
    let reached = Promise.withResolvers<void>();
    let gate: Promise<unknown> = new Promise(() => {});
    const slow = createMcpTool('slow')
      .description('Asks, and takes its time')
      .parameters(z.object({}))
      .durable()
      .elicits({ first: z.object({ text: z.string() }) })
      .execute(function* (_, ctx) {
        const { text } = yield* ctx.elicit.strict('first', { message: 'First?' });
        reached.resolve();
        yield* until(gate);
        return text;
      });
    const start = async () => {
      const server = await startServer({ tools: [slow], ...stored() });
      own.ending(server);
      return server;
    };
    const here = await start();
    const call = { name: 'slow', arguments: {} };
    const asked = await leg(here, call);
    const broken = leg(here, call, asked, first).catch(() => undefined);
    await reached.promise;
    await here.close();
    await broken;
    reached = Promise.withResolvers();
    gate = Promise.resolve();
    const there = await start();
    const end = await leg(there, call, asked, first);
    expect(end.result).toMatchObject({ content: [{ text: 'a' }] });
  });
});
