import { describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { makePlugin } from '#src/core/plugin/make-plugin.ts';
import { createMcpTool } from '#src/core/tool/create-mcp-tool.ts';
import { answerForm, cancel, decline, refused } from '#src/panel-port/index.ts';
import { start } from '#src/vscode/bridge.ts';
import { tool, usePanelRig } from './panel-rig.ts';

const panel = usePanelRig();

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
    const rig = panel();
    const end = rig.run(sending);
    const { id, body } = await rig.shown('page');
    expect(body).toEqual({ kind: 'page', url, asker: 'log_in' });
    expect(rig.opened).toEqual([]);
    rig.page.send(answerForm({ questionId: id, attempt: 1, content: {} }));
    expect(await end).toMatchObject({ value: 'accept' });
    expect(rig.opened).toEqual([url]);
  });

  it('that was not opened after all counts as cancelled', async () => {
    const rig = panel();
    rig.opens = false;
    const end = rig.run(sending);
    const { id } = await rig.shown('page');
    rig.page.send(answerForm({ questionId: id, attempt: 1, content: {} }));
    expect(await end).toMatchObject({ value: 'cancel' });
  });

  it.each([
    ['decline', decline],
    ['cancel', cancel],
  ] as const)('is not opened with %s', async (action, kind) => {
    const rig = panel();
    const end = rig.run(sending);
    const { id } = await rig.shown('page');
    rig.page.send(kind({ questionId: id }));
    expect(await end).toMatchObject({ value: action });
    expect(rig.opened).toEqual([]);
  });
});

it('whoever answers a form or a view, or declines, is a person; a handler that shows nothing is none', async () => {
  const whose = createMcpTool('whose')
    .description('says whose its answers are')
    .parameters(z.object({}))
    .elicits({ form: z.object({}), code: z.object({}) })
    .execute(function* (_, ctx) {
      const first = yield* ctx.elicit('form', { message: 'Yes?' });
      const second = yield* ctx.elicit('form', { message: 'Yes?' });
      return [
        first.answeredBy,
        second.answeredBy,
        (yield* ctx.elicit('code', { message: 'Yes?' })).answeredBy,
      ];
    });
  const rig = panel();
  const silent = function* () {
    return { action: 'accept' as const, content: {} };
  };
  const end = rig.run(makePlugin(whose).onElicit({ form: 'form', code: silent }).build());
  const first = await rig.shown('form');
  rig.page.send(answerForm({ questionId: first.id, attempt: 1, content: {} }));
  await vi.waitFor(() => expect(rig.question().id).not.toBe(first.id));
  rig.page.send(decline({ questionId: rig.question().id }));
  expect(await end).toMatchObject({ value: ['person', 'person', 'client'] });
});

describe('a question without a handler', () => {
  it('is answered by the form', async () => {
    const rig = panel();
    const end = rig.run(tool);
    const { id } = await rig.shown('form');
    rig.page.send(answerForm({ questionId: id, attempt: 1, content: { seat: '3A' } }));
    expect(await end).toMatchObject({ type: 'result', value: { seat: '3A' } });
  });

  it('is asked again with the problem, and an answer to the first asking is refused', async () => {
    const rig = panel();
    const end = rig.run(tool);
    const { id } = await rig.shown('form');
    rig.page.send(answerForm({ questionId: id, attempt: 1, content: { seat: 'x' } }));
    const again = await rig.shown('form', 2);
    expect(again.problem).toContain('seat');
    rig.page.send(answerForm({ questionId: id, attempt: 1, content: { seat: '3A' } }));
    expect(rig.page.posted.filter((message) => refused.is(message))).toHaveLength(1);
    rig.page.send(answerForm({ questionId: id, attempt: 2, content: { seat: '4B' } }));
    expect(await end).toMatchObject({ type: 'result', value: { seat: '4B' } });
  });

  it('counts its first answer; the page hears that the second did not', async () => {
    const rig = panel();
    const end = rig.run(tool);
    const { id } = await rig.shown('form');
    rig.page.send(answerForm({ questionId: id, attempt: 1, content: { seat: '3A' } }));
    rig.page.send(answerForm({ questionId: id, attempt: 1, content: { seat: '9F' } }));
    expect(await end).toMatchObject({ value: { seat: '3A' } });
    expect(rig.page.posted.at(-1)).toMatchObject({ name: 'refused', body: { target: id } });
    expect(rig.dead).toEqual([expect.stringContaining('answerForm: This question is closed')]);
  });

  it.each([
    ['decline', decline],
    ['cancel', cancel],
  ] as const)('can be answered %s', async (action, kind) => {
    const rig = panel();
    const end = rig.run(tool);
    const { id } = await rig.shown('form');
    rig.page.send(kind({ questionId: id }));
    expect(await end).toMatchObject({ value: { action } });
  });

  it('can be cancelled from outside of the page, by its id', async () => {
    const rig = panel();
    const end = rig.run(tool);
    const { id } = await rig.shown('form');
    rig.inbox.give({ id: 'another', attempt: 1 }, { action: 'cancel' });
    expect(rig.store.get().question?.id).toBe(id);
    rig.inbox.give({ id, attempt: 1 }, { action: 'cancel' });
    expect(await end).toMatchObject({ value: { action: 'cancel' } });
  });

  it('closes with its call, and later answers are refused', async () => {
    const rig = panel();
    const end = rig.run(tool);
    const { id } = await rig.shown('form');
    start(rig.scope, () => rig.session.abort('enough'));
    expect(await end).toMatchObject({ type: 'aborted', reason: 'enough' });
    rig.page.send(answerForm({ questionId: id, attempt: 1, content: { seat: '3A' } }));
    expect(rig.dead).toHaveLength(1);
  });
});
