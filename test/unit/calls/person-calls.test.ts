import { type Operation, race, run, sleep, withResolvers } from 'effection';
import { describe, expect, it } from 'vitest';
import { type PersonCall, PersonCalls, shownToPerson } from '#src/calls/person-calls.ts';
import type { CallStore } from '#src/runtime/journal/call-store.ts';
import type { Client } from '#src/runtime/session/client.ts';
import { createMemoryStore } from '#src/stores/index.ts';
import { accept, type CallRig, callRig, plain, said } from './call-rig.ts';

/** A client that asks its person, who says nothing. */
const terminal = (over: () => void): Client => ({
  name: 'claude-code',
  capabilities: () => ({ elicitation: { form: true } }),
  can: () => true,
  *elicit() {
    try {
      yield* sleep(60_000);
      throw new Error('nobody answered');
    } finally {
      over();
    }
  },
});

const folder = '/home/ann/repo';

function program(store: CallStore): Operation<CallRig> {
  const shown = shownToPerson(
    function* () {
      return store;
    },
    'there',
    (_, client) => ({ client, server: 'parley', folder, title: 'Plain' }),
  );
  return callRig({ shown });
}

/** Waits until that many calls wait in other programs. */
function* waiting(people: PersonCalls, count: number): Operation<readonly PersonCall[]> {
  for (;;) {
    const found = yield* people.list();
    if (found.length === count) return found;
    yield* sleep(5);
  }
}

describe('a call that a client asks in its terminal', () => {
  it('is listed to the person with who asks and where, and closes there when it is answered here', async () => {
    const store = createMemoryStore();
    await run(function* () {
      const { calls, beginning } = yield* program(store);
      const { operation: closed, resolve } = withResolvers<void>('the terminal closes');
      const people = new PersonCalls(store, 'here');
      const answered = function* () {
        const [call] = yield* waiting(people, 1);
        expect(call).toMatchObject({ client: 'claude-code', folder, title: 'Plain', tool: 'plain' });
        const wrong = { ...said('1', { day: accept({ text: 7 }) }), seen: { [`${call?.asks[0]?.id}`]: 1 } };
        yield* people.send(call?.name ?? fail(), wrong);
        for (;;) {
          const [again] = yield* waiting(people, 1);
          if (again?.asks[0]?.attempt === 2) break;
          yield* sleep(5);
        }
        yield* people.send(call?.name ?? fail(), said('2', { day: accept({ text: 'Monday' }) }));
        yield* waiting(people, 0);
        yield* closed;
        return yield* sleep(60_000);
      };
      const begun = calls.start(beginning(plain, terminal(resolve)), { digest: '' });
      const snapshot = yield* race([begun, answered()]);
      expect(snapshot).toMatchObject({ end: { type: 'result', value: 'Monday' } });
      // Nothing of it is left.
      expect(yield* store.list()).toEqual([]);
    });
  });

  it('is not listed to its own program, and ends when the person stops it elsewhere', async () => {
    const store = createMemoryStore();
    await run(function* () {
      const { calls, beginning } = yield* program(store);
      const stopped = function* () {
        const [call] = yield* waiting(new PersonCalls(store, 'here'), 1);
        expect(yield* new PersonCalls(store, 'there').list()).toEqual([]);
        yield* new PersonCalls(store, 'here').send(call?.name ?? fail(), {
          ...{ id: 's', digest: '', stop: 'the user stopped it' },
        });
        return yield* sleep(60_000);
      };
      const begun = calls.start(
        beginning(
          plain,
          terminal(() => {}),
        ),
        { digest: '' },
      );
      expect(yield* race([begun, stopped()])).toMatchObject({ end: { reason: 'the user stopped it' } });
    });
  });
});

function fail(): never {
  throw new Error('there is no call');
}

/** Something in the store that says it waits. */
function* keeps(store: CallStore, callId: string, notes: object, header: unknown = { tool: 't', began: 1 }) {
  const name = { principal: '', conversation: '', callId };
  yield* store.begin({ name, header: header as never, notes: notes as never });
}

const form = { type: 'object', properties: { text: { type: 'string' } } };
const request = { message: 'When?', requestedSchema: form };
const ask = { kind: 'elicit', id: 'elicit-1', wireKey: 'day', attempt: 1, request };
const place = { client: 'c', server: 's', folder, title: 'T', program: 'p' };

it('what another program keeps there is taken as texts, or not at all', async () => {
  const store = createMemoryStore();
  await run(function* () {
    const hostile: readonly object[] = [
      {},
      { place },
      { place, call: null },
      { place, call: { asks: 'all' } },
      { place, call: { asks: [null, 7, {}] } },
      { place: { ...place, folder: 7 }, call: { asks: [ask] } },
      { place, call: { asks: [{ ...ask, attempt: -1 }] } },
      { place, call: { asks: [{ ...ask, inEditor: true }] } },
      {
        place,
        call: { asks: [{ ...ask, request: { mode: 'url', message: 'm', url: 'javascript:alert(1)' } }] },
      },
      { place, call: { asks: [{ ...ask, request: { message: 'm', requestedSchema: { type: 'x' } } }] } },
      { place, call: { asks: [{ ...ask, request: { ...request, message: 'x'.repeat(1e6) } }] } },
    ];
    for (const [at, notes] of hostile.entries()) yield* keeps(store, `bad ${at}`, notes);
    yield* keeps(store, 'bad header', { place, call: { asks: [ask] } }, null);
    const said = 'a\u0007\u001b[31m\nb\u202e';
    const loud = { ...place, title: said, client: said, folder: said };
    const asks = [{ ...ask, request: { ...request, message: `\u001b[2Jhello` }, view: '<script>' }];
    yield* keeps(store, 'good', { place: loud, call: { asks, updated: 5 } });
    const found = yield* new PersonCalls(store, 'here').list();
    expect(found).toHaveLength(1);
    const [call] = found;
    for (const text of [call?.title, call?.client, call?.folder, call?.asks[0]?.request.message])
      expect(text).not.toMatch(/[\p{Cc}\u202e]/u);
    expect(JSON.stringify(call)).not.toContain('script');
  });
});

it('a thousand waiting calls are listed, the oldest first', async () => {
  const store = createMemoryStore({ bounds: { calls: 2_000, share: 2_000 } });
  await run(function* () {
    for (let at = 0; at < 1_000; at += 1)
      yield* keeps(store, `${at}`, { place, call: { asks: [ask], updated: (at * 7919) % 1_000 } });
    const found = yield* new PersonCalls(store, 'here').list();
    expect(found.map(({ since }) => since)).toEqual(Array.from({ length: 1_000 }, (_, at) => at));
  });
});
