import { type Operation, run, scoped, spawn, suspend, withResolvers } from 'effection';
import { expect, it } from 'vitest';
import * as z from 'zod';
import type { JsonValue } from '#src/core/messages/json.ts';
import { createMcpTool } from '#src/core/tool/create-mcp-tool.ts';
import type { AnyTool } from '#src/core/tool/tool.ts';
import { createStandIn } from '#src/isolation/host-side/stand-in.ts';
import { ToolHome } from '#src/isolation/host-side/tool-home.ts';
import { DEFAULT_WATCH_LIMITS } from '#src/isolation/host-side/watch.ts';
import { MOST_TEXT } from '#src/isolation/transport/link.ts';
import { realmMethods } from '#src/isolation/wire/methods/realm-methods.ts';
import { sessionMethods } from '#src/isolation/wire/methods/session-methods.ts';
import { describeTool } from '#src/isolation/wire/tool-data.ts';
import { ToolDirectoryContext } from '#src/runtime/context/tool-directory.ts';
import { createSessionManager } from '#src/runtime/manager/session-manager.ts';
import { type Approval, CallPolicyContext } from '#src/runtime/policy/call-policy.ts';
import { policedTool } from '#src/runtime/policy/policed-tool.ts';
import type { Session } from '#src/runtime/session/session.ts';
import { eventLoopTurn } from '#src/runtime/time/event-loop.ts';
import { journalOf, shortly } from '../runtime/journal/journal-kit.ts';
import { accept } from '../runtime/session-kit.ts';
import { createLinkedEnds } from './linked-ends.ts';

/** What goes over a line. */
interface Frame {
  readonly type: string;
  readonly id?: number;
  readonly within?: number | undefined;
  readonly method?: string;
  readonly params?: unknown;
  readonly value?: unknown;
  readonly error?: { readonly code?: string; readonly message: string };
}

/** A realm that a test plays by hand: it loads and parses, and of calls it does what the test says. */
class PlayedRealm {
  readonly heard: Frame[] = [];
  ended = false;
  silent = false;
  #send: (text: string) => void = () => {};
  #last = 0;

  launch() {
    const { session, realm } = createLinkedEnds();
    this.#send = realm.send;
    realm.listen((text) => this.#hear(JSON.parse(String(text))));
    void session.ended.then(() => {
      this.ended = true;
    });
    return session;
  }

  say(frame: Frame): void {
    this.#send(JSON.stringify(frame));
  }

  shout(text: string): void {
    this.#send(text);
  }

  /** Calls the session, and gives what it answers. */
  *call(method: string, params: unknown, within?: number): Operation<Frame> {
    this.#last += 2;
    const id = this.#last;
    this.say({ type: 'call', id, method, params, within });
    return yield* this.next((frame) => frame.id === id);
  }

  /** The first frame of a kind, when it has come. */
  *next(is: (frame: Frame) => boolean): Operation<Frame> {
    for (;;) {
      const found = this.heard.find(is);
      if (found) return found;
      yield* eventLoopTurn();
    }
  }

  /** The number of the call that it is told to run. */
  *run(): Operation<number> {
    const { id = 0 } = yield* this.next(({ method }) => method === 'run');
    return id;
  }

  #hear(frame: Frame): void {
    this.heard.push(frame);
    if (this.silent || frame.type !== 'call' || frame.id === undefined) return;
    const done = { type: 'done', id: frame.id };
    if (frame.method === 'load' || frame.method === 'ping') this.say(done);
    else if (frame.method === 'parse') this.say({ ...done, value: { value: {} } });
  }
}

const template = createMcpTool('probe')
  .description('A tool of a test.')
  .parameters(z.object({}))
  .elicits({ seat: z.object({ row: z.int() }) })
  .execute(function* () {});

const form = template.def.elicits.seat?.json;
const question = {
  key: 'seat',
  depth: 0,
  subject: { kind: 'elicit', declared: true, request: { message: 'Which?', requestedSchema: form } },
};

interface Attack {
  readonly realm: PlayedRealm;
  readonly session: Session;
  /** The number of its call. */
  readonly running: number;
}

/** A call of a tool whose realm the test plays. */
function attack(
  body: (attack: Attack) => Operation<void>,
  around: () => Operation<void> = function* () {},
): () => Promise<void> {
  return () =>
    run(() =>
      scoped(function* () {
        yield* around();
        const realm = new PlayedRealm();
        const limits = { ...DEFAULT_WATCH_LIMITS, grace: 50 };
        const order = { folder: '/t', outDir: '/t', modules: [], entries: [], lent: [] };
        const home = new ToolHome(
          { limits, diagnose() {}, launch: () => realm.launch() },
          '/t/probe.ts',
          order,
        );
        const tool = createStandIn(describeTool(template, 'probe'), { home, index: 0 });
        const manager = yield* createSessionManager({ limits: { cleanupGrace: 600_000 } });
        const session = yield* manager.create({ tool, params: {} });
        const running = yield* realm.run();
        try {
          yield* body({ realm, session, running });
        } finally {
          realm.say({ type: 'done', id: running });
        }
        yield* session.abort();
      }),
    );
}

/** Everything by which a realm might say that somebody has answered. */
function* forge({ realm, running }: Attack): Operation<void> {
  const answer = { action: 'accept', content: { row: 1 } };
  for (const method of [
    'answer',
    'respond',
    'append',
    'approve',
    'rewind',
    'abort',
    ...Object.keys(realmMethods),
  ]) {
    const reply = yield* realm.call(
      method,
      { id: 'elicit-1', askId: 'elicit-1', answer, content: answer },
      running,
    );
    expect(reply, method).toMatchObject({ type: 'failed' });
  }
  for (let id = -1; id < 50; id++) if (id !== running) realm.say({ type: 'done', id, value: answer });
  for (let turn = 0; turn < 5; turn++) yield* eventLoopTurn();
}

it(
  'a realm cannot answer the question that it asks',
  attack(function* (attacked) {
    const { realm, session, running } = attacked;
    const asked = yield* spawn(() => realm.call('ask', question, running));
    while (session.openAsks().length === 0) yield* eventLoopTurn();
    yield* forge(attacked);
    expect(session.openAsks().map(({ id }) => id)).toEqual(['elicit-1']);
    expect(journalOf(session).lines.map(shortly)).toEqual(['open elicit-1 as seat: Which?']);
    // Nor can it make another answer of the one that a person gives.
    yield* spawn(() => session.respond('elicit-1', accept({ row: 2 })));
    const { id = 0 } = yield* realm.next(({ method }) => method === 'check');
    realm.say({ type: 'done', id, value: { answer: { row: 1 }, content: { row: 1 } } });
    expect(yield* asked).toMatchObject({ value: { answer: accept({ row: 2 }) } });
    expect(journalOf(session).lines.find(({ t }) => t === 'answer')).toMatchObject({
      answer: accept({ row: 2 }),
    });
  }),
);

it('a realm cannot approve the call that it makes', () => {
  const ran: JsonValue[] = [];
  const approval = withResolvers<Approval>();
  const asked = withResolvers<void>();
  const danger: AnyTool = policedTool(
    createMcpTool('danger')
      .description('Does it.')
      .parameters(z.object({}))
      .elicits({})
      .execute(function* () {
        ran.push('ran');
      }),
  );
  return attack(
    function* (attacked) {
      const called = yield* spawn(() =>
        attacked.realm.call('callTool', { name: 'danger', params: {}, depth: 0 }, attacked.running),
      );
      yield* asked.operation;
      yield* forge(attacked);

      expect(ran).toEqual([]);
      approval.resolve({ approved: false, why: 'you said no' });
      expect(yield* called).toMatchObject({ type: 'failed', error: { code: 'NOT_APPROVED' } });
      expect(ran).toEqual([]);
    },
    function* () {
      yield* ToolDirectoryContext.set((name, given) => given ?? (name === 'danger' ? danger : undefined));
      yield* CallPolicyContext.set({
        *decide() {
          return { verdict: 'ask', why: 'a rule' };
        },
        *ask() {
          asked.resolve();
          return yield* approval.operation;
        },
      });
    },
  )();
});

it('a realm that asks without end has a thousand requests open, and is refused the rest', () => {
  let asked = 0;
  return attack(
    function* ({ realm, session, running }) {
      const danger = { name: 'danger', params: {}, depth: 0 };
      for (let id = 2; id <= 2_400; id += 2)
        realm.say({ type: 'call', id, method: 'callTool', params: danger, within: running });
      const { error } = yield* realm.next(({ id }) => id === 2_400);
      expect(error?.message).toContain('at most 1000 requests open');
      while (asked < 1_000) yield* eventLoopTurn();
      expect(realm.heard.filter(({ type }) => type === 'failed')).toHaveLength(200);
      expect([asked, session.ended()]).toEqual([1_000, undefined]);
    },
    function* () {
      yield* ToolDirectoryContext.set((_, given) => given ?? policedTool(template));
      yield* CallPolicyContext.set({
        *decide() {
          return { verdict: 'ask', why: 'a rule' };
        },
        *ask() {
          asked += 1;
          yield* suspend();
          return { approved: false, why: 'nobody said so' };
        },
      });
    },
  )();
});

it(
  'a realm that says too much at once is ended, and with it its call alone',
  attack(function* ({ realm, session }) {
    realm.shout('x'.repeat(MOST_TEXT + 1));
    while (!session.ended()) yield* eventLoopTurn();
    expect(session.ended()).toMatchObject({
      error: { code: 'TOOL_CRASHED', message: expect.stringContaining('characters at once') },
    });
    expect(realm.ended).toBe(true);
  }),
);

it(
  'a realm that logs without a pause is kept no more of than of any tool',
  attack(function* ({ realm, session, running }) {
    const message = 'x'.repeat(10_000);
    for (let n = 0; n < 1_000; n++)
      realm.say({
        type: 'tell',
        method: 'report',
        within: running,
        params: { type: 'log', level: 'info', message, depth: 0 },
      });
    yield* realm.call('sync', undefined, running);
    const kept = session
      .events()
      .reduce((sum, event) => sum + (event.type === 'log' ? event.message.length : 0), 0);
    expect(kept).toBeLessThan(2.1 * 1024 * 1024);
    expect(session.events().some(({ type }) => type === 'gap')).toBe(true);
  }),
);

it(
  'a realm adds nothing to a call that has ended, before its cleanup is over or after',
  attack(function* ({ realm, session, running }) {
    const aborted = yield* spawn(() => session.abort('stopped'));
    yield* realm.next(({ type }) => type === 'cancel');
    const record = () => [
      session.events().map(({ type }) => type),
      journalOf(session).lines.map(({ t }) => t),
    ];
    const before = record();
    const late: Readonly<Record<string, unknown>> = {
      ask: question,
      step: { name: 'pay', depth: 0, reads: false, undo: false },
      callTool: { name: 'danger', params: {}, depth: 0 },
      keepHandoff: { value: 'late' },
      report: { type: 'log', level: 'info', message: 'late', depth: 0 },
    };
    const attempt = function* (codes: Record<string, unknown>) {
      for (const [method, params] of Object.entries(late)) {
        const reply = yield* realm.call(method, params, running);
        expect(reply, method).toMatchObject(codes[method] ?? { type: 'failed' });
        realm.say({ type: 'tell', method, params, within: running });
      }
      for (let turn = 0; turn < 5; turn++) yield* eventLoopTurn();
      expect(record()).toEqual(before);
    };
    const ended = { type: 'failed', error: { code: 'CALL_ENDED' } };
    yield* attempt({ ask: ended, step: ended, callTool: ended, keepHandoff: { type: 'done' } });
    realm.say({ type: 'halted', id: running });
    yield* aborted;
    yield* attempt({});
  }),
);

it(
  'a realm that stays silent when its call is stopped is ended',
  attack(function* ({ realm, session }) {
    realm.silent = true;
    yield* session.abort('stopped');
    expect(session.ended()).toMatchObject({ type: 'aborted', reason: 'stopped' });
    yield* eventLoopTurn();
    expect(realm.ended).toBe(true);
  }),
);

it(
  'a realm that names a call which is not its own is refused',
  attack(function* ({ realm, session, running }) {
    for (const within of [running + 2, running + 20, 0, 2, 999_999]) {
      expect(yield* realm.call('ask', question, within)).toMatchObject({ type: 'failed' });
      expect(yield* realm.call('callTool', { name: 'danger', depth: 0 }, within)).toMatchObject({
        type: 'failed',
      });
    }
    for (const method of Object.keys(sessionMethods))
      expect(yield* realm.call(method, question), method).toMatchObject({ type: 'failed' });
    expect(session.openAsks()).toEqual([]);
    expect(journalOf(session).lines).toEqual([]);
  }),
);
