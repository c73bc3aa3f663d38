import { randomBytes } from 'node:crypto';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { type InlineOptions, inline } from 'parley-mcp/inline';
import { createMemoryStore } from 'parley-mcp/stores';
import { describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { handlersOf } from './handlers.ts';
import { type Leg, leg, params, server2 } from './rig.ts';

const key = randomBytes(32);

/** Handlers of one replica: they share nothing with another one but what `options` say. */
function replica(options: InlineOptions, did: string[] = []) {
  return handlersOf(inline(options), did);
}

const REFUSED = expect.stringContaining('requestState');

describe('a call that its client carries', () => {
  test('goes on at another replica with each leg, and after a change of keys', async () => {
    const one = await leg(replica({ keys: [key] }).pair, { branch: 'm' });
    const two = await leg(replica({ keys: [key] }).pair, { branch: 'm' }, one, { version: '1.2' });
    expect(two.message).toBe('Publish 1.2?');
    const rotated = replica({ keys: [randomBytes(32), key] });
    expect((await leg(rotated.pair, { branch: 'm' }, two, { ok: true })).text).toBe('m 1.2 true');
  });

  test('is good for one person, one tool, these arguments, this key, and an hour', async () => {
    const keys = [key];
    const principal = (host: unknown) => (host as { principal?: string }).principal;
    const { pair, other } = replica({ keys, principal });
    const ann = { principal: 'ann' };
    const one = await leg(pair, { branch: 'm' }, undefined, undefined, ann);
    const answer = { version: '1.2' };
    const bad: [string, Leg][] = [
      ['bob', await leg(pair, { branch: 'm' }, one, answer, { principal: 'bob' })],
      ['nobody', await leg(pair, { branch: 'm' }, one, answer)],
      ['arguments', await leg(pair, { branch: 'n' }, one, answer, ann)],
      ['tool', await leg(other, { branch: 'm' }, one, answer, ann)],
      [
        'key',
        await leg(replica({ keys: [randomBytes(32)], principal }).pair, { branch: 'm' }, one, answer, ann),
      ],
      ['no key', await leg(replica({ principal }).pair, { branch: 'm' }, one, answer, ann)],
      [
        'changed',
        await leg(pair, { branch: 'm' }, { ...one, state: `${one.state?.slice(0, -4)}AAAA` }, answer, ann),
      ],
      ['garbage', await leg(pair, { branch: 'm' }, { ...one, state: 'c2.AAAA' }, answer, ann)],
      ['another form', await leg(pair, { branch: 'm' }, { ...one, state: 'r1.call_1.x' }, answer, ann)],
    ];
    for (const [what, { text }] of bad) expect(text, what).toEqual(REFUSED);
    const short = replica({ keys, principal, ttl: 1 });
    const over = await leg(short.pair, { branch: 'm' }, undefined, undefined, ann);
    await expect
      .poll(async () => (await leg(short.pair, { branch: 'm' }, over, answer, ann)).text)
      .toEqual(REFUSED);
    expect((await leg(pair, { branch: 'm' }, one, answer, ann)).message).toBe('Publish 1.2?');
  });

  test('asks the same again where answers are missing, or are for another question', async () => {
    const { pair } = replica({ keys: [key] });
    const one = await leg(pair, { branch: 'm' });
    expect((await leg(pair, { branch: 'm' }, one)).message).toBe(one.message);
    const stray = { ...one, key: 'nonsense' };
    expect((await leg(pair, { branch: 'm' }, stray, { version: '1.2' })).message).toBe(one.message);
  });

  test('does no step that does more than read, unless its author allows that it is done again', async () => {
    const did: string[] = [];
    const { deploy } = replica({ keys: [key] }, did);
    const one = await leg(deploy, { branch: 'm' });
    const two = await leg(deploy, { branch: 'm' }, one, { version: '1.2' });
    expect(two.text).toMatch(/'tag' does more than read.*book.*forks/);
    expect(did).toEqual([]);
    const forks = replica({ keys: [key], forks: true }, did);
    const again = await leg(forks.deploy, { branch: 'm' }, one, { version: '1.2' });
    expect(again.message).toBe('Announce v1.2?');
    expect(did).toEqual(['tag 1.2']);
  });

  test('that says another thing each time is refused, and says where', async () => {
    const { drifts } = replica({ keys: [key] });
    const one = await leg(drifts, {});
    expect((await leg(drifts, {}, one, { ok: true })).text).toMatch(/asked.*It is 0\./);
  });

  test('in a race with a sleep is answered in time, and is too late after that', async () => {
    const { limited } = replica({ keys: [key] });
    const hour = { within: 3_600_000 };
    expect((await leg(limited, hour, await leg(limited, hour), { ok: true })).data).toEqual({ ok: true });
    const moment = { within: 1 };
    const one = await leg(limited, moment);
    await expect.poll(async () => one.text ?? (await leg(limited, moment, one)).text).toBe('too late');
  });
});

test('a call goes on in a runtime that has neither setImmediate nor MessageChannel', async () => {
  for (const name of ['setImmediate', 'MessageChannel']) vi.stubGlobal(name, undefined);
  try {
    const { pair } = replica({ keys: [key] });
    const one = await leg(pair, { branch: 'm' });
    expect((await leg(pair, { branch: 'm' }, one, { version: '1.2' })).message).toBe('Publish 1.2?');
  } finally {
    vi.unstubAllGlobals();
  }
});

describe.each([
  ['the memory of a process', () => ({ book: 'memory' as const })],
  ['a store', () => ({ book: createMemoryStore() })],
])('a call that waits in %s', (name, options) => {
  /** Two replicas with one store; where there is none, one process. */
  const two = (did: string[]) => {
    const shared = options();
    const first = replica(shared, did);
    return [first, name === 'a store' ? replica(shared, did) : first] as const;
  };

  test('does each step once, however often an old state is brought', async () => {
    const did: string[] = [];
    const [here, there] = two(did);
    const one = await leg(here.deploy, { branch: 'm' });
    const two_ = await leg(there.deploy, { branch: 'm' }, one, { version: '5.0' });
    expect((await leg(here.deploy, { branch: 'm' }, one, { version: '5.0' })).message).toBe(two_.message);
    expect((await leg(here.deploy, { branch: 'm' }, one, { version: '6.0' })).text).toContain(
      'other answers',
    );
    expect(did).toEqual(['tag 5.0']);
    const end = await leg(here.deploy, { branch: 'm' }, two_, { ok: true });
    expect(end.data).toMatchObject({ tag: 'v5.0', announced: true });
    expect((await leg(there.deploy, { branch: 'm' }, two_, { ok: true })).data).toEqual(end.data);
    expect(did).toEqual(['tag 5.0', 'announce v5.0']);
  });

  test('goes on once where ten bring the same answers at once', async () => {
    const did: string[] = [];
    const both = two(did);
    const one = await leg(both[0].deploy, { branch: 'm' });
    const all = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        leg(both[n % 2 ? 1 : 0].deploy, { branch: 'm' }, one, { version: '7.0' }),
      ),
    );
    expect(did).toEqual(['tag 7.0']);
    expect(new Set(all.map(({ message }) => message))).toEqual(new Set(['Announce v7.0?']));
  });

  test('is one person’s, one tool’s and for these arguments', async () => {
    const principal = (host: unknown) => (host as { principal?: string }).principal;
    const { pair, other } = replica({ ...options(), principal });
    const one = await leg(pair, { branch: 'm' }, undefined, undefined, { principal: 'ann' });
    for (const [handler, branch, whose] of [
      [pair, 'm', 'bob'],
      [pair, 'n', 'ann'],
      [other, 'm', 'ann'],
    ] as const) {
      const { text } = await leg(handler, { branch }, one, { version: '1.2' }, { principal: whose });
      expect(text).toEqual(REFUSED);
    }
  });
});

test('a question is called by its key, on the wire and in what is said of it', async () => {
  const straight = inline();
  const named = straight(function* named(_: unknown, ctx) {
    yield* ctx.elicit.strict({ key: 'user_name', message: 'Who?', schema: z.object({ name: z.string() }) });
  });
  const one = await leg(named, {});
  expect(one.key).toBe('user_name');
  const inputResponses = { user_name: { action: 'decline' } };
  const { content } = await named({}, { params: params({ requestState: one.state, inputResponses }) });
  expect(content[0]?.text).toContain("'user_name'");
});

describe('the hook of SDK v2 for states', () => {
  const call = (fetch: (request: Request) => Promise<Response>, more: object) =>
    fetch(
      new Request('http://x/mcp', {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': 'tools/call',
          'mcp-name': 'pair',
        },
        body: JSON.stringify({
          ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
          params: {
            ...params({ name: 'pair', arguments: { branch: 'm' }, ...more }),
            _meta: {
              ...params()._meta,
              'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
            },
          },
        }),
      }),
    ).then(async (response) => {
      const text = await response.text();
      return JSON.parse(
        /^\{|(?<=data: )\{.*$/m.test(text) && !text.startsWith('{')
          ? (/data: (\{.*)$/m.exec(text)?.[1] ?? '')
          : text,
      );
    });

  test('refuses a changed state as the protocol says, opens ours, and hands on others', async () => {
    const straight = inline({ keys: [key] });
    const seen: string[] = [];
    const verify = straight.verify((state) => {
      seen.push(state);
      return 'theirs';
    });
    const { fetch } = createMcpHandler(() => server2(handlersOf(straight), { requestState: { verify } }));
    const { result: one } = await call(fetch, {});
    const [asked = ''] = Object.keys(one.inputRequests);
    const inputResponses = { [asked]: { action: 'accept', content: { version: '1.2' } } };
    const bad = await call(fetch, { requestState: `${one.requestState.slice(0, -4)}AAAA`, inputResponses });
    expect(bad.error.code).toBe(-32602);
    const good = await call(fetch, { requestState: one.requestState, inputResponses });
    expect(Object.values(good.result.inputRequests)).toMatchObject([{ params: { message: 'Publish 1.2?' } }]);
    await call(fetch, { requestState: 'v1.their-own', inputResponses });
    expect(seen).toEqual(['v1.their-own']);
  });

  test('without another one behind it refuses what is not ours', async () => {
    await expect(inline().verify()('v1.their-own', { mcpReq: {} })).rejects.toThrow('requestState');
  });
});
