import { createScope, type Operation, type Scope } from 'effection';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import * as z from 'zod';
import type { AnyPlugin } from '#src/core/plugin/plugin.ts';
import { createMcpTool } from '#src/core/tool/create-mcp-tool.ts';
import type { AnyTool } from '#src/core/tool/tool.ts';
import { createAnswering } from '#src/panel/answering.ts';
import { follow } from '#src/panel/follow.ts';
import { createInbox, type Inbox } from '#src/panel/inbox.ts';
import { stageOf } from '#src/panel/model/snapshot.ts';
import { initialState } from '#src/panel/model/state.ts';
import { createPageListener } from '#src/panel/page-listener.ts';
import { createPanelStore, type PanelStore } from '#src/panel/panel-store.ts';
import type { Question, StageOf } from '#src/panel-port/index.ts';
import { drive } from '#src/runtime/drive/drive.ts';
import { createSessionManager } from '#src/runtime/manager/session-manager.ts';
import type { Client } from '#src/runtime/session/client.ts';
import type { EndEvent } from '#src/runtime/session/events.ts';
import type { Session } from '#src/runtime/session/session.ts';
import { start } from '#src/vscode/bridge.ts';
import { createFakePage, type FakePage } from './fake-page.ts';

/** Asks for a seat. */
export const tool = createMcpTool('book')
  .description('books')
  .parameters(z.object({}))
  .elicits({ seat: z.object({ seat: z.string().min(2) }) })
  .execute(function* (_, ctx) {
    const answer = yield* ctx.elicit('seat', { message: 'Which seat?' });
    return answer.action === 'accept' ? answer.content : { action: answer.action };
  });

/** A panel without a window, whose call is answered by a page that tests play; anew for each test. */
export class PanelRig {
  readonly scope: Scope;
  readonly destroy: () => PromiseLike<void>;
  readonly page: FakePage = createFakePage();
  readonly store: PanelStore = createPanelStore(
    initialState({ callId: '', toolName: 'book', title: 'Book' }),
  );
  readonly inbox: Inbox;
  readonly dead: string[] = [];
  readonly errors: string[] = [];
  readonly opened: string[] = [];
  /** Whether pages are opened when the person agrees. */
  opens = true;
  #session: Session | undefined;

  constructor() {
    [this.scope, this.destroy] = createScope();
    this.inbox = createInbox({
      post: this.page.post,
      onDead: (message, why) => this.dead.push(`${message.name}: ${why}`),
    });
    const nothing = () => {};
    this.page.connect(
      createPageListener({
        inbox: this.inbox,
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
  }

  get session(): Session {
    if (!this.#session) throw new Error('nothing runs');
    return this.#session;
  }

  run(callee: AnyPlugin | AnyTool): Promise<EndEvent> {
    return start(this.scope, () => this.#driven(callee)).outcome.then((outcome) => {
      if (outcome.type === 'done') return outcome.value;
      throw outcome.type === 'failed' ? outcome.error : new Error('halted');
    });
  }

  shown(kind: Question['body']['kind'], attempt = 1): Promise<Question> {
    return vi.waitFor(() => {
      const stage = stageOf(this.store.get());
      expect(stage).toMatchObject({ kind: 'question', question: { attempt, body: { kind } } });
      return this.question();
    });
  }

  question(): Question {
    return (stageOf(this.store.get()) as StageOf<'question'>).question;
  }

  *#driven(callee: AnyPlugin | AnyTool): Operation<EndEvent> {
    const manager = yield* createSessionManager();
    const session = yield* manager.create({ tool: callee, params: {} });
    this.#session = session;
    follow(session, this.store, { event: () => {}, explain: () => ({}) });
    const { opened } = this;
    const opens = () => this.opens;
    const client: Client = {
      name: 'panel',
      capabilities: () => ({ elicitation: { form: true, url: true } }),
      can: () => true,
      maxAttempts: () => Number.POSITIVE_INFINITY,
      elicit: createAnswering({
        panel: { store: this.store, inbox: this.inbox },
        title: 'Book',
        log: { error: (message) => this.errors.push(message) },
        gaveWay: 'a plain form',
        *openPage(url) {
          opened.push(url);
          return opens();
        },
        asked() {},
      }),
    };
    return yield* drive(session, client, 'end');
  }
}

/** Gives each test its panel. */
export function usePanelRig(): () => PanelRig {
  let rig: PanelRig;
  beforeEach(() => {
    rig = new PanelRig();
  });
  afterEach(() => rig.destroy());
  return () => rig;
}
