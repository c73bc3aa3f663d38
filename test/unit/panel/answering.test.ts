import { createScope, type Operation, type Scope, suspend } from 'effection';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { makePlugin } from '#src/core/plugin/make-plugin.ts';
import type { AnyPlugin } from '#src/core/plugin/plugin.ts';
import type { View } from '#src/core/plugin/view.ts';
import { createMcpTool } from '#src/core/tool/create-mcp-tool.ts';
import type { AnyTool } from '#src/core/tool/tool.ts';
import { createAnswering } from '#src/panel/answering.ts';
import { follow } from '#src/panel/follow.ts';
import { createInbox, type Inbox } from '#src/panel/inbox.ts';
import { stageOf } from '#src/panel/model/snapshot.ts';
import { initialState } from '#src/panel/model/state.ts';
import { createPageListener } from '#src/panel/page-listener.ts';
import { createPanelStore, type PanelStore } from '#src/panel/panel-store.ts';
import {
  answerForm,
  cancel,
  decline,
  type Question,
  refused,
  type StageOf,
  viewCrashed,
  viewResponse,
} from '#src/panel-port/index.ts';
import { drive } from '#src/runtime/drive/drive.ts';
import { createSessionManager } from '#src/runtime/manager/session-manager.ts';
import type { Client } from '#src/runtime/session/client.ts';
import type { EndEvent } from '#src/runtime/session/events.ts';
import type { Session } from '#src/runtime/session/session.ts';
import { start } from '#src/vscode/bridge.ts';
import { createFakePage, type FakePage } from './fake-page.ts';

interface SeatProps {
  readonly free: readonly string[];
  onRespond(value: { seat: string }): void;
}
const seatView = { kind: 'parley.view', key: 'test/seats', name: 'Seats' } as unknown as View<SeatProps>;

const tool = createMcpTool('book')
  .description('books')
  .parameters(z.object({}))
  .elicits({ seat: z.object({ seat: z.string().min(2) }) })
  .execute(function* (_, ctx) {
    const answer = yield* ctx.elicit('seat', { message: 'Which seat?' });
    return answer.action === 'accept' ? answer.content : { action: answer.action };
  });

type Handler = Parameters<ReturnType<typeof makePlugin<typeof tool>>['onElicit']>[0]['seat'];
const pluginWith = (seat: Handler): AnyPlugin => makePlugin(tool).onElicit({ seat }).build();

let scope: Scope;
let destroy: () => PromiseLike<void>;
let store: PanelStore;
let inbox: Inbox;
let page: FakePage;
let session: Session;
let dead: string[];
let errors: string[];
let opened: string[];
let opens: boolean;

beforeEach(() => {
  [scope, destroy] = createScope();
  dead = [];
  errors = [];
  opened = [];
  opens = true;
  page = createFakePage();
  store = createPanelStore(initialState({ callId: '', toolName: 'book', title: 'Book' }));
  inbox = createInbox({ post: page.post, onDead: (message, why) => dead.push(`${message.name}: ${why}`) });
  const nothing = () => {};
  page.connect(
    createPageListener({
      inbox,
      title: 'Book',
      log: { warn: nothing, show: nothing },
      onReady: nothing,
      onStop: nothing,
      onAction: nothing,
      onGoBack: nothing,
      onFrame: nothing,
      onPick: () => undefined,
      onPlace: () => undefined,
      onResult: () => undefined,
      onBlock: () => undefined,
      onLooked: () => undefined,
      onOpenPanel: () => undefined,
      keep: nothing,
      copy: nothing,
    }),
  );
});

afterEach(async () => {
  await destroy();
});

function run(callee: AnyPlugin | AnyTool): Promise<EndEvent> {
  const running = start(scope, function* (): Operation<EndEvent> {
    const manager = yield* createSessionManager();
    session = yield* manager.create({ tool: callee, params: {} });
    follow(session, store, { event: () => {}, explain: () => ({}) });
    const client: Client = {
      name: 'panel',
      capabilities: () => ({ elicitation: { form: true, url: true } }),
      can: () => true,
      maxAttempts: () => Number.POSITIVE_INFINITY,
      elicit: createAnswering({
        panel: { store, inbox },
        title: 'Book',
        log: { error: (message) => errors.push(message) },
        gaveWay: 'a plain form',
        *openPage(url) {
          opened.push(url);
          return opens;
        },
        asked() {},
      }),
    };
    return yield* drive(session, client, 'end');
  });
  return running.outcome.then((outcome) => {
    if (outcome.type === 'done') return outcome.value;
    throw outcome.type === 'failed' ? outcome.error : new Error('halted');
  });
}

const question = (): Question => (stageOf(store.get()) as StageOf<'question'>).question;
const shown = (kind: Question['body']['kind'], attempt = 1) =>
  vi.waitFor(() => {
    expect(stageOf(store.get())).toMatchObject({ kind: 'question', question: { attempt, body: { kind } } });
    return question();
  });
const renderIdOf = ({ body }: Question) => (body.kind === 'view' ? body.renderId : '');

describe('a page to open', () => {
  const url = 'https://example.com/login?state=a%26b';
  const sending = createMcpTool('log_in')
    .description('sends to a page')
    .parameters(z.object({}))
    .elicits({})
    .execute(function* (_, ctx) {
      return (yield* ctx.elicit({ mode: 'url', message: 'Log in.', url })).action;
    });

  it('is shown with its whole address and who asks, and opened when the person agrees, as it stands', async () => {
    const end = run(sending);
    const { id, body } = await shown('page');
    expect(body).toEqual({ kind: 'page', url, asker: 'log_in' });
    expect(opened).toEqual([]);
    page.send(answerForm({ questionId: id, attempt: 1, content: {} }));
    expect(await end).toMatchObject({ value: 'accept' });
    expect(opened).toEqual([url]);
  });

  it('that was not opened after all counts as cancelled', async () => {
    opens = false;
    const end = run(sending);
    const { id } = await shown('page');
    page.send(answerForm({ questionId: id, attempt: 1, content: {} }));
    expect(await end).toMatchObject({ value: 'cancel' });
  });

  it.each([
    ['decline', decline],
    ['cancel', cancel],
  ] as const)('is not opened with %s', async (action, kind) => {
    const end = run(sending);
    const { id } = await shown('page');
    page.send(kind({ questionId: id }));
    expect(await end).toMatchObject({ value: action });
    expect(opened).toEqual([]);
  });
});

describe('a question without a handler', () => {
  it('is answered by the form', async () => {
    const end = run(tool);
    const { id } = await shown('form');
    page.send(answerForm({ questionId: id, attempt: 1, content: { seat: '3A' } }));
    expect(await end).toMatchObject({ type: 'result', value: { seat: '3A' } });
  });

  it('is asked again with the problem, and an answer to the first asking is refused', async () => {
    const end = run(tool);
    const { id } = await shown('form');
    page.send(answerForm({ questionId: id, attempt: 1, content: { seat: 'x' } }));
    const again = await shown('form', 2);
    expect(again.problem).toContain('seat');
    page.send(answerForm({ questionId: id, attempt: 1, content: { seat: '3A' } }));
    expect(page.posted.filter((message) => refused.is(message))).toHaveLength(1);
    page.send(answerForm({ questionId: id, attempt: 2, content: { seat: '4B' } }));
    expect(await end).toMatchObject({ type: 'result', value: { seat: '4B' } });
  });

  it('counts its first answer; the page hears that the second did not', async () => {
    const end = run(tool);
    const { id } = await shown('form');
    page.send(answerForm({ questionId: id, attempt: 1, content: { seat: '3A' } }));
    page.send(answerForm({ questionId: id, attempt: 1, content: { seat: '9F' } }));
    expect(await end).toMatchObject({ value: { seat: '3A' } });
    expect(page.posted.at(-1)).toMatchObject({ name: 'refused', body: { target: id } });
    expect(dead).toEqual([expect.stringContaining('answerForm: This question is closed')]);
  });

  it.each([
    ['decline', decline],
    ['cancel', cancel],
  ] as const)('can be answered %s', async (action, kind) => {
    const end = run(tool);
    const { id } = await shown('form');
    page.send(kind({ questionId: id }));
    expect(await end).toMatchObject({ value: { action } });
  });

  it('can be cancelled from outside of the page, by its id', async () => {
    const end = run(tool);
    const { id } = await shown('form');
    inbox.give({ id: 'another', attempt: 1 }, { action: 'cancel' });
    expect(store.get().question?.id).toBe(id);
    inbox.give({ id, attempt: 1 }, { action: 'cancel' });
    expect(await end).toMatchObject({ value: { action: 'cancel' } });
  });

  it('closes with its call, and later answers are refused', async () => {
    const end = run(tool);
    const { id } = await shown('form');
    start(scope, () => session.abort('enough'));
    expect(await end).toMatchObject({ type: 'aborted', reason: 'enough' });
    page.send(answerForm({ questionId: id, attempt: 1, content: { seat: '3A' } }));
    expect(dead).toHaveLength(1);
  });
});

describe('a question with a handler', () => {
  const picks: Handler = function* (_, ctx) {
    const content = yield* ctx.render(seatView, { free: ['3A', '4B'] });
    return { action: 'accept', content };
  };

  it('shows nothing but the view, never the form', async () => {
    const bodies: string[] = [];
    store.subscribe((state) => bodies.push(state.question?.body.kind ?? '-'));
    const end = run(pluginWith(picks));
    const asked = await shown('view');
    expect(asked.body).toMatchObject({ view: { key: 'test/seats' }, props: { free: ['3A', '4B'] } });
    page.send(viewResponse({ renderId: renderIdOf(asked), value: { seat: '4B' } }));
    expect(await end).toMatchObject({ value: { seat: '4B' } });
    expect(bodies).not.toContain('form');
  });

  it('renders anew when its answer did not fit, and an answer to the old rendering is refused', async () => {
    const end = run(pluginWith(picks));
    const first = await shown('view');
    page.send(viewResponse({ renderId: renderIdOf(first), value: { seat: 'x' } }));
    const second = await shown('view', 2);
    expect(renderIdOf(second)).not.toBe(renderIdOf(first));
    page.send(viewResponse({ renderId: renderIdOf(first), value: { seat: '3A' } }));
    expect(dead).toHaveLength(1);
    page.send(viewResponse({ renderId: renderIdOf(second), value: { seat: '4B' } }));
    expect(await end).toMatchObject({ value: { seat: '4B' } });
  });

  it('gives way to the form when its answers do not fit twice', async () => {
    const end = run(pluginWith(picks));
    page.send(viewResponse({ renderId: renderIdOf(await shown('view')), value: { seat: 'x' } }));
    page.send(viewResponse({ renderId: renderIdOf(await shown('view', 2)), value: { seat: 'y' } }));
    const form = await shown('form', 3);
    expect(form.notice).toBe('a plain form');
    page.send(answerForm({ questionId: form.id, attempt: 3, content: { seat: '3A' } }));
    expect(await end).toMatchObject({ value: { seat: '3A' } });
  });

  it('gives way at once when its view crashes, with the cause in the log', async () => {
    const end = run(pluginWith(picks));
    const { id, body } = await shown('view');
    const error = { name: 'TypeError', message: 'no seats' };
    page.send(viewCrashed({ renderId: body.kind === 'view' ? body.renderId : '', error }));
    await shown('form');
    expect(errors).toEqual([expect.stringContaining('The form takes its place')]);
    page.send(answerForm({ questionId: id, attempt: 1, content: { seat: '3A' } }));
    expect(await end).toMatchObject({ value: { seat: '3A' } });
  });

  it.each<[string, () => Operation<never>]>([
    [
      'throws',
      function* () {
        throw new Error('broken');
      },
    ],
    [
      'returns no answer',
      function* () {
        return 'seat 3A' as never;
      },
    ],
  ])('that %s runs once more and then gives way', async (_, handler) => {
    const end = run(pluginWith(handler as unknown as Handler));
    const { id } = await shown('form');
    expect(errors.map((line) => line.replace(/.*failed\. /, ''))).toEqual([
      'It runs once more.',
      'The form takes its place.',
    ]);
    page.send(answerForm({ questionId: id, attempt: 1, content: { seat: '3A' } }));
    expect(await end).toMatchObject({ value: { seat: '3A' } });
  });

  it('is halted by Decline, with its cleanup done', async () => {
    let cleaned = false;
    const waits: Handler = function* (_, ctx) {
      try {
        yield* ctx.show(seatView, { free: [] });
        yield* ctx.reportProgress('looking', 0.5);
        yield* suspend();
      } finally {
        cleaned = true;
      }
      return { action: 'cancel' };
    };
    const end = run(pluginWith(waits));
    await vi.waitFor(() =>
      expect(stageOf(store.get())).toMatchObject({
        question: { body: { kind: 'busy', note: 'looking (50 %)' } },
      }),
    );
    expect(store.get().shown?.view.key).toBe('test/seats');
    page.send(decline({ questionId: question().id }));
    expect(await end).toMatchObject({ value: { action: 'decline' } });
    expect(cleaned).toBe(true);
  });
});
