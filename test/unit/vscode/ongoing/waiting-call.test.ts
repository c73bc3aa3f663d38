import { action, type Operation, run, sleep, spawn, withResolvers } from 'effection';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createMcpTool } from '#src/core/tool/create-mcp-tool.ts';
import { follow } from '#src/panel/follow.ts';
import { createInbox } from '#src/panel/inbox.ts';
import { initialState } from '#src/panel/model/state.ts';
import { createPanelStore } from '#src/panel/panel-store.ts';
import { answerForm } from '#src/panel-port/index.ts';
import type { Journal } from '#src/runtime/journal/lines.ts';
import { createSessionManager } from '#src/runtime/manager/session-manager.ts';
import { isEnd, type SessionEvent } from '#src/runtime/session/events.ts';
import type { Session } from '#src/runtime/session/session.ts';
import type { Asker } from '#src/vscode/calls/asker.ts';
import { createWaitingCall } from '#src/vscode/calls/ongoing/waiting-call.ts';
import { waitsFor, wholeEvents } from '#src/vscode/calls/ongoing/whole-events.ts';

const capabilities = { elicitation: { form: true } } as const;
const agent = { kind: 'agent', name: 'the agent' } as const;
const client = { kind: 'client', name: 'Cursor' } as const;
const chat = { kind: 'chat', name: '@parley' } as const;
const t = (text: string, ...values: string[]) =>
  values.reduce((said, value, at) => said.replaceAll(`{${at}}`, value), text);

function toolAsking(question: string, begun: () => void = () => {}) {
  return createMcpTool('ask')
    .description('Asks.')
    .parameters(z.object({}))
    .durable()
    .elicits({ first: z.object({ text: z.string() }), second: z.object({ text: z.string() }) })
    .execute(function* (_, ctx) {
      begun();
      const { text } = yield* ctx.elicit.strict('first', { message: 'First?' });
      const second = yield* ctx.elicit.strict('second', { message: question });
      return [text, second.text];
    });
}

/** A call that waits at its second question, as the next window finds it. */
function* aCallThatWaits(asker: Asker, { question = 'Second?', durable = true, comesBack = false } = {}) {
  const manager = yield* createSessionManager();
  const first = yield* manager.create({ tool: toolAsking('Second?'), params: {}, capabilities });
  yield* first.respond('elicit-1', { action: 'accept', content: { text: 'one' } });
  yield* sleep(0);
  const journal: Journal = first.journal();
  const events = wholeEvents(first.events(), journal.lines);

  const next = yield* createSessionManager();
  const store = createPanelStore(initialState({ callId: '', toolName: 'ask', title: 'Ask' }));
  const inbox = createInbox({ post() {}, onDead() {} });
  const listeners = new Set<() => void>();
  let visible = false;
  let begun = 0;
  let resumes = 0;
  let session: Session | undefined;
  let driven: 'alone' | 'beside its client' | undefined;
  const attached = withResolvers<void>();
  follow(
    {
      ...first,
      id: first.id,
      startedAt: 1,
      params: {},
      plugin: undefined,
      realm: () => undefined,
      events: () => events,
      subscribe: () => () => {},
    },
    store,
    { event() {}, explain: () => ({}) },
  );
  const tool = toolAsking(question, () => begun++);
  const waiting = createWaitingCall({
    panel: {
      store,
      inbox,
      get visible() {
        return visible;
      },
      subscribe(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    asker,
    durable,
    comesBack,
    waits: waitsFor(journal.lines, events),
    t,
    resume(replay) {
      resumes += 1;
      return next.resume({ tool, journal, capabilities, ...(replay ? { replay } : {}) });
    },
    attached(resumed) {
      session = resumed;
      attached.resolve();
    },
    drive(_, byClient) {
      driven = byClient ? 'beside its client' : 'alone';
    },
    *end() {},
  });
  yield* spawn(waiting.run);
  yield* sleep(0);
  return {
    waiting,
    store,
    inbox,
    session: () => session,
    driven: () => driven,
    begun: () => begun,
    /** How often it was to go on. */
    resumes: () => resumes,
    /** Waits until it runs here. */
    isAttached: () => attached.operation,
    *show(): Operation<void> {
      visible = true;
      for (const listener of [...listeners]) listener();
      // What that sets off has begun by the next turn.
      yield* sleep(0);
    },
  };
}
/** How a call ends, once it has. */
function* endOf(session: Session | undefined): Operation<SessionEvent | undefined> {
  for (let at = 0; session; ) {
    const event = yield* session.nextEvent(at);
    if (isEnd(event)) return event;
    at = event.at;
  }
  return undefined;
}
/** Waits until the panel offers a button. */
const aButton = ({ store }: { store: ReturnType<typeof createPanelStore> }): Operation<void> =>
  action((resolve) => {
    const look = () => {
      if (store.get().pause?.actions?.length) resolve();
    };
    look();
    return store.subscribe(look);
  });
const pauseOf = (call: { store: ReturnType<typeof createPanelStore> }) => call.store.get().pause;

describe('a call of an earlier window', () => {
  it('shows its question before any of its code runs, and is taken up when its panel is seen', () =>
    run(function* () {
      const call = yield* aCallThatWaits({ kind: 'person' });
      expect(call.store.get().question?.message).toBe('Second?');
      expect(call.begun()).toBe(0);
      yield* call.show();
      yield* call.isAttached();
      expect(call.session()?.openAsks()).toMatchObject([{ id: 'elicit-2' }]);
      expect(pauseOf(call)).toBeUndefined();
    }));

  it('takes an answer that was given before it was taken up', () =>
    run(function* () {
      const call = yield* aCallThatWaits({ kind: 'person' });
      call.inbox.receive(answerForm({ questionId: 'elicit-2', attempt: 1, content: { text: 'two' } }));
      const session = yield* call.waiting.attach();
      expect(yield* endOf(session)).toMatchObject({ value: ['one', 'two'] });
    }));

  it('says that its caller is gone, and does nothing before the person wants it to', () =>
    run(function* () {
      const call = yield* aCallThatWaits(agent, { durable: false });
      expect(pauseOf(call)?.message).toContain('The agent started this call and is no longer connected');
      yield* call.show();
      expect(call.resumes()).toBe(0);
      expect(call.waiting.act('continue')).toBe(true);
      yield* call.waiting.attach();
      expect(call.session()?.openAsks()).toHaveLength(1);
      expect(pauseOf(call)).toEqual({
        message: 'The agent is no longer connected. The result of this call stays here.',
        actions: [],
      });
    }));

  it('of @parley waits for no button: it goes on when it is seen, and says who hears what comes of it', () =>
    run(function* () {
      const call = yield* aCallThatWaits(chat, { durable: false });
      expect(pauseOf(call)).toEqual({
        message: expect.stringContaining('@parley started this call before the window was closed.'),
        actions: [],
      });
      expect(call.begun()).toBe(0);
      yield* call.show();
      yield* call.isAttached();
      expect(call.session()?.openAsks()).toMatchObject([{ id: 'elicit-2' }]);
      expect(pauseOf(call)?.message).toContain('It gets the result');
      call.waiting.callerIsBack();
      expect(pauseOf(call)).toBeUndefined();
    }));

  it('of @parley says nothing of that when its next turn takes it up', () =>
    run(function* () {
      const call = yield* aCallThatWaits(chat);
      call.waiting.callerIsBack();
      expect(pauseOf(call)).toBeUndefined();
      const session = yield* call.waiting.attach();
      expect(session.openAsks()).toMatchObject([{ id: 'elicit-2' }]);
      expect(pauseOf(call)).toBeUndefined();
    }));

  it('of @parley keeps the button that it waits for, also when its next turn is there', () =>
    run(function* () {
      const call = yield* aCallThatWaits(chat, { question: 'Second, please?' });
      yield* call.show();
      yield* aButton(call);
      call.waiting.callerIsBack();
      expect(pauseOf(call)?.actions).toMatchObject([{ label: 'Continue with the New Version' }]);
    }));

  it('goes on with its client when that is back, with its panel beside it', () =>
    run(function* () {
      const call = yield* aCallThatWaits(client, { comesBack: true });
      expect(pauseOf(call)?.message).toContain('Cursor started this call before the window was closed');
      yield* call.show();
      expect(call.resumes()).toBe(0);
      const found = yield* call.waiting.takeUp();
      expect(found?.openAsks()).toMatchObject([{ id: 'elicit-2' }]);
      expect(call.driven()).toBe('beside its client');
      expect(pauseOf(call)).toBeUndefined();
      expect(yield* call.waiting.takeUp()).toBe(found);
    }));

  it('can be answered by the person while its client is away, and is there for the client all the same', () =>
    run(function* () {
      const call = yield* aCallThatWaits(client, { comesBack: true });
      call.inbox.receive(answerForm({ questionId: 'elicit-2', attempt: 1, content: { text: 'two' } }));
      const session = yield* call.waiting.attach();
      expect(call.driven()).toBe('alone');
      const found = yield* call.waiting.takeUp();
      expect(yield* endOf(found)).toMatchObject({ value: ['one', 'two'] });
      expect(found).toBe(session);
    }));

  it('that the person has stopped is not there for its client', () =>
    run(function* () {
      const call = yield* aCallThatWaits(client, { comesBack: true });
      yield* call.waiting.stop();
      expect(yield* call.waiting.takeUp()).toBeUndefined();
      expect(call.resumes()).toBe(0);
    }));

  it('that its tool no longer asks is not there for its client, but for the person', () =>
    run(function* () {
      const call = yield* aCallThatWaits(client, { comesBack: true, question: 'Second, please?' });
      expect(yield* call.waiting.takeUp()).toBeUndefined();
      expect(yield* call.waiting.takeUp()).toBeUndefined();
      call.waiting.act('continueWithNewVersion');
      const session = yield* call.waiting.attach();
      expect(session.openAsks()).toMatchObject([{ request: { message: 'Second, please?' } }]);
    }));

  it('that its tool no longer asks goes on with the new version when the person wants that', () =>
    run(function* () {
      const call = yield* aCallThatWaits({ kind: 'person' }, { question: 'Second, please?' });
      yield* call.show();
      yield* aButton(call);
      expect(call.session()).toBeUndefined();
      expect(pauseOf(call)?.message).toContain('“Second, please?”');
      expect(pauseOf(call)?.actions).toMatchObject([{ label: 'Continue with the New Version' }]);
      expect(call.store.get().call.status).toBe('waiting');
      call.waiting.act('continueWithNewVersion');
      const session = yield* call.waiting.attach();
      expect(session.openAsks()).toMatchObject([{ request: { message: 'Second, please?' } }]);
    }));

  it('whose question was not kept before a crash asks it again by itself', () =>
    run(function* () {
      const manager = yield* createSessionManager();
      const first = yield* manager.create({ tool: toolAsking('Second?'), params: {}, capabilities });
      const { lines } = first.journal();
      expect(waitsFor(lines, first.events())).toBe('person');
      expect(waitsFor(lines, [])).toBe('itself');
    }));

  it('whose question is that of another server’s tool waits for nobody: what came of that is asked for anew', () =>
    run(function* () {
      const manager = yield* createSessionManager();
      const first = yield* manager.create({ tool: toolAsking('Second?'), params: {}, capabilities });
      const lines = first
        .journal()
        .lines.map((line) => (line.t === 'open' ? { ...line, within: 'call-1' } : line));
      expect(waitsFor(lines, first.events())).toBe('itself');
    }));

  it('leaves buttons that are not its own to others', () =>
    run(function* () {
      const call = yield* aCallThatWaits({ kind: 'person' });
      expect(call.waiting.act('runAgain')).toBe(false);
    }));
});
