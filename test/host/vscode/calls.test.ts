import assert from 'node:assert/strict';
import { ensure, sleep, suspend } from 'effection';
import { afterEach, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import * as z from 'zod';
import { makePlugin } from '#src/core/plugin/make-plugin.ts';
import { createMcpTool } from '#src/core/tool/create-mcp-tool.ts';
import { stageOf } from '#src/panel/model/snapshot.ts';
import { answerForm, cancel, decline, submitParams } from '#src/panel-port/index.ts';
import { start } from '#src/vscode/bridge.ts';
import type { CallEntry } from '#src/vscode/calls/call-entry.ts';
import { runForOthers } from '#src/vscode/calls/run/run-for-others.ts';
import { type DeskKit, openDesk } from './desk-kit.ts';
import { eventually } from './eventually.ts';

const askName = createMcpTool('ask_name')
  .description('asks for a name')
  .parameters(z.object({ greeting: z.string().min(2) }))
  .elicits({ name: z.object({ name: z.string().min(2) }) })
  .execute(function* ({ greeting }, ctx) {
    yield* ctx.log('notice', 'about to ask');
    const answer = yield* ctx.elicit('name', { message: 'Your name?' });
    return answer.action === 'accept' ? `${greeting}, ${answer.content.name}!` : answer.action;
  });

const askReading = createMcpTool('ask_reading')
  .description('asks for a name, and only reads')
  .parameters(z.object({}))
  .annotations({ readOnlyHint: true })
  .elicits({ name: z.object({ name: z.string() }) })
  .execute(function* (_, ctx) {
    return (yield* ctx.elicit.strict('name', { message: 'Your name?' })).name;
  });

let cleaned = 0;
const askAgain = createMcpTool('ask_again')
  .description('asks until somebody answers')
  .parameters(z.object({}))
  .elicits({ more: z.object({ more: z.boolean() }) })
  .execute(function* (_, ctx) {
    for (let asked = 1; ; asked++) {
      const answer = yield* ctx.elicit('more', { message: `Question ${asked}` });
      if (answer.action === 'accept') return asked;
    }
  });

const failing = createMcpTool('failing')
  .description('fails at once')
  .parameters(z.object({}))
  .elicits({})
  .execute(function* (_, ctx) {
    yield* ctx.log('warning', 'about to fail');
    throw new TypeError('No.');
  });

const endless = createMcpTool('endless')
  .description('never ends')
  .parameters(z.object({}))
  .elicits({})
  .execute(function* () {
    yield* ensure(function* () {
      yield* sleep(5);
      cleaned += 1;
    });
    yield* suspend();
  });

/** Tabs of run panels, or of those of one tool: a panel of an earlier test may still be on its way. */
const runPanels = (title?: string) =>
  vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .filter(({ input }) => input instanceof vscode.TabInputWebview && input.viewType.endsWith('parley.run'))
    .filter(({ label }) => title === undefined || label.includes(title));

describe('a call in the editor', () => {
  let kit: DeskKit;

  beforeEach(async () => {
    cleaned = 0;
    kit = await openDesk();
  });
  afterEach(async () => {
    await kit.close();
    await eventually('closed panel', () => runPanels().length === 0);
  });

  const asking = (entry: CallEntry) => eventually('question', () => entry.panel.store.get().question);
  const send = (entry: CallEntry, message: Parameters<CallEntry['panel']['inbox']['receive']>[0]) =>
    entry.panel.inbox.receive(message);

  it('asks for the parameters, again while they do not fit, then runs', async () => {
    const { entry, end } = kit.call({ tool: askName, plugin: undefined });
    const first = stageOf(entry.panel.store.get());
    assert.ok(first.kind === 'parameters');
    await eventually('panel', () => runPanels().length === 1);
    send(entry, submitParams({ formId: first.formId, values: { greeting: 'x' } }));
    const again = await eventually('second form', () => {
      const stage = stageOf(entry.panel.store.get());
      return stage.kind === 'parameters' && stage.attempt === 2 ? stage : undefined;
    });
    assert.match(again.problem ?? '', /greeting/);
    assert.deepEqual(again.values, { greeting: 'x' });
    send(entry, submitParams({ formId: again.formId, values: { greeting: 'Hello' } }));
    const { id } = await asking(entry);
    send(entry, answerForm({ questionId: id, attempt: 1, content: { name: 'Ada' } }));
    const ended = await end;
    assert.ok(ended?.type === 'result');
    assert.equal(ended.value, 'Hello, Ada!');
    assert.deepEqual(
      kit.logged.filter((line) => line.startsWith('ask_name')),
      ['ask_name notice: about to ask'],
    );

    const next = kit.call({ tool: askName, plugin: undefined });
    const form = stageOf(next.entry.panel.store.get());
    assert.ok(form.kind === 'parameters');
    assert.deepEqual(form.values, { greeting: 'Hello' });
    next.entry.abort();
    assert.equal(await next.end, undefined);
    assert.ok(!kit.calls.list().includes(next.entry), 'a form that was closed leaves nothing behind');
  });

  for (const [action, kind] of [
    ['decline', decline],
    ['cancel', cancel],
  ] as const) {
    it(`is answered ${action}`, async () => {
      const { entry, end } = kit.call({ tool: askName, plugin: undefined, params: { greeting: 'Hi' } });
      const { id } = await asking(entry);
      send(entry, kind({ questionId: id }));
      assert.equal(await resultOf(end), action);
    });
  }

  it('waits on when its panel is closed, and for the next question, too', async () => {
    const { entry, end } = kit.call({ tool: askAgain, plugin: undefined });
    await eventually('panel', () => runPanels('Ask again').length === 1);
    const first = await asking(entry);
    await eventually('panel closed', () => closeTabs(runPanels('Ask again')));
    await eventually('panel gone', () => !entry.panel.open);
    assert.deepEqual(entry.panel.store.get().question, first, 'closing answers nothing');
    entry.panel.inbox.give(first, { action: 'cancel' });
    const second = await eventually('second question', () => {
      const { question } = entry.panel.store.get();
      return question?.message === 'Question 2' ? question : undefined;
    });
    assert.equal(entry.panel.open, false, 'nobody opens it but the person');
    entry.panel.show();
    await eventually('panel again', () => runPanels('Ask again').length === 1);
    send(entry, answerForm({ questionId: second.id, attempt: 1, content: { more: false } }));
    assert.equal(await resultOf(end), 2);
  });

  it('ends with whoever asked for it, also while its closed panel has a question open', async () => {
    const agent = start(kit.scope, () =>
      runForOthers(kit.desk, {
        plugin: makePlugin(askAgain).onElicit({ more: 'form' }).build(),
        params: {},
        asker: { kind: 'agent', name: 'the agent' },
      }),
    );
    const entry = await eventually('call', () => kit.calls.list()[0]);
    await asking(entry);
    await eventually('panel', () => runPanels('Ask again').length === 1);
    await eventually('panel closed', () => closeTabs(runPanels('Ask again')));
    await eventually('panel gone', () => !entry.panel.open);
    assert.equal(entry.panel.store.get().call.status, 'waiting');
    await agent.halt();
    assert.equal(entry.panel.store.get().call.status, 'aborted');
    assert.equal(entry.panel.store.get().question, undefined);
  });

  it('goes back in a call of an agent, which gets what comes of it then', async () => {
    const agent = start(kit.scope, () =>
      runForOthers(kit.desk, {
        plugin: makePlugin(askAgain).onElicit({ more: 'form' }).build(),
        params: {},
        asker: { kind: 'agent', name: 'the agent' },
      }),
    );
    const entry = await eventually('call', () => kit.calls.list()[0]);
    const asked = (message: string) =>
      eventually(message, () => {
        const { question } = entry.panel.store.get();
        return question?.message === message ? question : undefined;
      });
    const first = await asked('Question 1');
    send(entry, decline({ questionId: first.id }));
    const second = await asked('Question 2');
    await kit.run(function* () {
      yield* entry.session()?.rewind(first.id, { anyway: true }) ?? [];
    });
    const again = await asked('Question 1');
    assert.notEqual(again.id, first.id);
    for (const { id } of [first, second, again]) {
      send(entry, answerForm({ questionId: id, attempt: 1, content: { more: id === again.id } }));
    }
    const outcome = await agent.outcome;
    assert.ok(outcome.type === 'done' && outcome.value.end.type === 'result');
    assert.equal(outcome.value.end.value, 1);
  });

  it('is in sight when it fails at once, so that no notification repeats what the panel says', async () => {
    const { entry, end } = kit.call({ tool: failing, plugin: undefined });
    assert.equal((await end)?.type, 'error');
    assert.equal(entry.panel.visible, true);
    assert.deepEqual(kit.logged, ['failing warning: about to fail', 'error: Failing failed: No.']);
  });

  it('is stopped from its panel, with its cleanup done', async () => {
    const { entry, end } = kit.call({ tool: endless, plugin: undefined });
    await eventually('its code', () => entry.panel.store.get().call.status === 'running');
    entry.abort();
    assert.equal((await end)?.type, 'aborted');
    await eventually('cleanup', () => cleaned === 1);
    assert.equal(entry.panel.store.get().call.status, 'aborted');
  });

  it('does not disturb another one', async () => {
    const one = kit.call({ tool: askName, plugin: undefined, params: { greeting: 'One' } });
    const two = kit.call({ tool: askName, plugin: undefined, params: { greeting: 'Two' } });
    const [first, second] = [await asking(one.entry), await asking(two.entry)];
    const stray = answerForm({ questionId: 'another', attempt: 1, content: { name: 'Mallory' } });
    send(one.entry, stray);
    assert.ok(
      kit.logged.some((line) => line.includes('had no effect')),
      'an answer to no question of this call is refused',
    );
    send(two.entry, decline({ questionId: second.id }));
    assert.equal(await resultOf(two.end), 'decline');
    send(one.entry, answerForm({ questionId: first.id, attempt: 1, content: { name: 'Ada' } }));
    assert.equal(await resultOf(one.end), 'One, Ada!');
  });

  it('leaves nothing behind when the desk goes', async () => {
    const running = kit.call({ tool: endless, plugin: undefined });
    const asked = kit.call({ tool: askName, plugin: undefined, params: { greeting: 'Hi' } });
    const ends = [running.end, asked.end].map((end) => end.catch((error: Error) => error.message));
    await asking(asked.entry);
    await eventually('panels', () => runPanels().length === 2);
    await kit.close();
    await Promise.all(ends);
    assert.equal(cleaned, 1);
    assert.equal(running.entry.session()?.status(), 'aborted');
    assert.equal(asked.entry.session()?.status(), 'aborted');
    await eventually('closed panels', () => runPanels().length === 0);
  });

  it('of a tool that is not durable says that it ended with its window, where no panel of it comes back', async () => {
    const { entry } = kit.call({ tool: askName, plugin: undefined, params: { greeting: 'Hi' } });
    await asking(entry);
    const { store } = kit;
    await kit.close();
    kit = await openDesk(store);
    const said = Promise.withResolvers<string>();
    const { showWarningMessage } = vscode.window;
    Object.assign(vscode.window, {
      async showWarningMessage(message: string, button: string) {
        said.resolve(message);
        return button;
      },
    });
    try {
      await kit.run(function* () {
        yield* kit.desk.takeUp(yield* store.list(), Date.now());
      });
      assert.match(await said.promise, /“Ask name” ended with the window/);
      const shown = await eventually('panel', () => kit.calls.list().find(({ panel }) => panel.visible));
      const stage = stageOf(shown.panel.store.get());
      assert.match((stage.kind === 'aborted' && stage.reason) || stage.kind, /not durable/);
    } finally {
      Object.assign(vscode.window, { showWarningMessage });
    }
  });

  it('goes on, and others with it, where a message that is left for it cannot be taken', async () => {
    const { store } = kit;
    const asked = [1, 2].map(() =>
      kit.call({ tool: askName, plugin: undefined, params: { greeting: 'Hi' } }),
    );
    for (const { entry } of asked) await asking(entry);
    store.take = function* () {
      throw new Error('it cannot be read');
    };
    const [name] = await kit.run(function* () {
      const kept = yield* store.list();
      for (const { name } of kept) yield* store.leave(name, { id: '1', digest: '1', body: { answers: {} } });
      return kept;
    });
    assert.ok(name);
    await eventually('the problem in the log', () =>
      kit.logged.find((line) => line.includes('a call could not be saved')),
    );
    for (const { entry, end } of asked) {
      const { id } = await asking(entry);
      send(entry, answerForm({ questionId: id, attempt: 1, content: { name: 'Ada' } }));
      assert.equal(await resultOf(end), 'Hi, Ada!');
    }
  });

  it('offers Run Again where its window was closed just as it ended', async () => {
    const { entry } = kit.call({ tool: askReading, plugin: undefined, params: {} });
    await asking(entry);
    const { store } = kit;
    await kit.close();
    kit = await openDesk(store);
    const shown = await kit.run(function* () {
      const [kept] = yield* store.list();
      assert.ok(kept);
      const outcome = yield* store.claim(kept.name);
      assert.ok(outcome.type === 'claimed');
      const end = { type: 'result', value: 'Ada', at: 1_000, time: Date.now() };
      yield* store.appendEvents(outcome.claim, { events: [end] });
      yield* store.release(outcome.claim);
      yield* kit.desk.takeUp(yield* store.list(), Date.now());
      return kit.calls.list()[0]?.panel.store.get().end;
    });
    assert.equal(shown?.kind, 'result');
    assert.match(JSON.stringify(shown), /Run Again/);
  });

  it('does nothing for a button of a call that is over', async () => {
    const { entry, end } = kit.call({ tool: endless, plugin: undefined });
    entry.abort();
    await end;
    entry.abort();
    assert.equal(entry.panel.store.get().call.status, 'aborted');
  });
});

async function closeTabs(tabs: readonly vscode.Tab[]): Promise<boolean> {
  return await vscode.window.tabGroups.close(tabs);
}

async function resultOf(end: Promise<{ readonly type: string } | undefined>): Promise<unknown> {
  const ended = await end;
  assert.ok(ended?.type === 'result' && 'value' in ended, JSON.stringify(ended));
  return ended.value;
}
