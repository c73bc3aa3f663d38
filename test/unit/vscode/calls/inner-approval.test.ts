import { type Operation, run, sleep, spawn } from 'effection';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createMcpTool } from '#src/core/tool/create-mcp-tool.ts';
import { createInbox } from '#src/panel/inbox.ts';
import { initialState } from '#src/panel/model/state.ts';
import { createPanelStore } from '#src/panel/panel-store.ts';
import { answerForm, cancel, decline } from '#src/panel-port/index.ts';
import type { Asker } from '#src/vscode/calls/asker.ts';
import type { CallEntry } from '#src/vscode/calls/call-entry.ts';
import { createInnerApproval } from '#src/vscode/calls/inner-approval.ts';

const tool = createMcpTool('wipe')
  .description('Wipes.')
  .parameters(z.object({}))
  .title('Wipe the disk')
  .elicits({})
  .execute(function* () {
    return 'wiped';
  });

function entryOf(asker: Asker, principal = 'p') {
  const store = createPanelStore(initialState({ callId: 'c', toolName: 'run_tool', title: 'Run' }));
  store.dispatch({ type: 'started', callId: 'c', time: 0, params: undefined });
  const inbox = createInbox({ post() {}, onDead() {} });
  const entry = { asker, panel: { store, inbox }, session: () => ({ id: 'c', principal }) };
  return { entry: entry as unknown as CallEntry, store, inbox };
}
const agent: Asker = { kind: 'agent', name: 'the agent' };
const approval = () =>
  createInnerApproval({ asked() {}, t: (text, ...values) => text.replace('{0}', values[0] ?? '') });

/** Runs an approval; `answer` gets the question's id once it is open. */
function* asking(
  { entry, store }: ReturnType<typeof entryOf>,
  mayRun: ReturnType<typeof approval>,
  answer: (id: string) => void,
): Operation<boolean> {
  const task = yield* spawn(() => mayRun(entry, { tool, params: { path: '/' } }));
  yield* sleep(0);
  const { question } = store.get();
  if (question) answer(question.id);
  return yield* task;
}

describe('the approval of a tool inside another call', () => {
  it('shows which tool it is, and all that it is given', () =>
    run(function* () {
      const call = entryOf(agent);
      const allowed = yield* asking(call, approval(), (id) => {
        expect(call.store.get().question?.message).toContain('May “Wipe the disk” run');
        expect(call.store.get().question?.message).toContain('"path": "/"');
        expect(call.store.get().call.status).toBe('waiting');
        call.inbox.receive(answerForm({ questionId: id, attempt: 1, content: {} }));
      });
      expect(allowed).toBe(true);
      expect(call.store.get().question).toBeUndefined();
      expect(call.store.get().call.status).toBe('running');
    }));

  it.each([
    ['Decline', decline],
    ['Cancel', cancel],
  ])('is no word for the tool on %s', (_name, answer) =>
    run(function* () {
      const call = entryOf(agent);
      const allowed = yield* asking(call, approval(), (questionId) =>
        call.inbox.receive(answer({ questionId })),
      );
      expect(allowed).toBe(false);
    }),
  );

  it('is asked once for whoever is always allowed, and again for everybody else', () =>
    run(function* () {
      const mayRun = approval();
      const first = entryOf(agent);
      yield* asking(first, mayRun, (id) =>
        first.inbox.receive(answerForm({ questionId: id, attempt: 1, content: { always: true } })),
      );
      expect(yield* mayRun(entryOf(agent).entry, { tool, params: {} })).toBe(true);
      const other = entryOf({ kind: 'agent', name: 'the agent, chat 2' });
      const allowed = yield* asking(other, mayRun, (questionId) =>
        other.inbox.receive(decline({ questionId })),
      );
      expect(allowed).toBe(false);
    }));

  it('of one call is no word for the next, nor that for one client for another of the same name', () =>
    run(function* () {
      const mayRun = approval();
      const answered = (call: ReturnType<typeof entryOf>, content: object) =>
        asking(call, mayRun, (questionId) =>
          call.inbox.receive(answerForm({ questionId, attempt: 1, content: content as never })),
        );
      yield* answered(entryOf(agent), {});
      const second = entryOf(agent);
      expect(
        yield* asking(second, mayRun, (questionId) => second.inbox.receive(decline({ questionId }))),
      ).toBe(false);
      yield* answered(entryOf(agent), { always: true });
      const namesake = entryOf(agent, 'another');
      expect(
        yield* asking(namesake, mayRun, (questionId) => namesake.inbox.receive(decline({ questionId }))),
      ).toBe(false);
    }));

  it('is withdrawn with the call that waits for it', () =>
    run(function* () {
      const call = entryOf(agent);
      const mayRun = approval();
      const task = yield* spawn(() => mayRun(call.entry, { tool, params: {} }));
      yield* sleep(0);
      expect(call.store.get().question).toBeDefined();
      yield* task.halt();
      expect(call.store.get().question).toBeUndefined();
      expect(call.store.get().rows.at(-1)).toMatchObject({ type: 'question', state: 'withdrawn' });
    }));
});
