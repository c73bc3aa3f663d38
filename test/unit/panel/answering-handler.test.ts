import { type Operation, suspend } from 'effection';
import { describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { makePlugin } from '#src/core/plugin/make-plugin.ts';
import type { AnyPlugin } from '#src/core/plugin/plugin.ts';
import type { View } from '#src/core/plugin/view.ts';
import { createMcpTool } from '#src/core/tool/create-mcp-tool.ts';
import { stageOf } from '#src/panel/model/snapshot.ts';
import { answerForm, decline, type Question, viewCrashed, viewResponse } from '#src/panel-port/index.ts';
import { start } from '#src/vscode/bridge.ts';
import { tool, usePanelRig } from './panel-rig.ts';

const panel = usePanelRig();

interface SeatProps {
  readonly free: readonly string[];
  onRespond(value: { seat: string }): void;
}
const seatView = { kind: 'parley.view', key: 'test/seats', name: 'Seats' } as unknown as View<SeatProps>;

const twice = createMcpTool('book')
  .description('books')
  .parameters(z.object({}))
  .durable()
  .elicits({ seat: z.object({ seat: z.string().min(2) }) })
  .execute(function* (_, ctx) {
    const { seat } = yield* ctx.elicit.strict('seat', { message: 'Which seat?' });
    const next = yield* ctx.elicit.strict('seat', { message: `After ${seat}?` });
    return [seat, next.seat];
  });

type Handler = Parameters<ReturnType<typeof makePlugin<typeof tool>>['onElicit']>[0]['seat'];
const pluginWith = (seat: Handler): AnyPlugin => makePlugin(tool).onElicit({ seat }).build();

const renderIdOf = ({ body }: Question) => (body.kind === 'view' ? body.renderId : '');

describe('a question with a handler', () => {
  const picks: Handler = function* (_, ctx) {
    const content = yield* ctx.render(seatView, { free: ['3A', '4B'] });
    return { action: 'accept', content };
  };

  it('shows nothing but the view, never the form', async () => {
    const rig = panel();
    const bodies: string[] = [];
    rig.store.subscribe((state) => bodies.push(state.question?.body.kind ?? '-'));
    const end = rig.run(pluginWith(picks));
    const asked = await rig.shown('view');
    expect(asked.body).toMatchObject({ view: { key: 'test/seats' }, props: { free: ['3A', '4B'] } });
    rig.page.send(viewResponse({ renderId: renderIdOf(asked), value: { seat: '4B' } }));
    expect(await end).toMatchObject({ value: { seat: '4B' } });
    expect(bodies).not.toContain('form');
  });

  it('renders anew when its answer did not fit, and an answer to the old rendering is refused', async () => {
    const rig = panel();
    const end = rig.run(pluginWith(picks));
    const first = await rig.shown('view');
    rig.page.send(viewResponse({ renderId: renderIdOf(first), value: { seat: 'x' } }));
    const second = await rig.shown('view', 2);
    expect(renderIdOf(second)).not.toBe(renderIdOf(first));
    rig.page.send(viewResponse({ renderId: renderIdOf(first), value: { seat: '3A' } }));
    expect(rig.dead).toHaveLength(1);
    rig.page.send(viewResponse({ renderId: renderIdOf(second), value: { seat: '4B' } }));
    expect(await end).toMatchObject({ value: { seat: '4B' } });
  });

  it('goes back while its view is up: that view is gone, and an answer to it reaches nobody', async () => {
    const rig = panel();
    const end = rig.run(
      makePlugin(twice)
        .onElicit({
          *seat(_, ctx) {
            return { action: 'accept', content: yield* ctx.render(seatView, { free: [] }) };
          },
        })
        .build(),
    );
    const first = await rig.shown('view');
    rig.page.send(viewResponse({ renderId: renderIdOf(first), value: { seat: '1A' } }));
    await vi.waitFor(() => expect(rig.store.get().question?.message).toBe('After 1A?'));
    const second = await rig.shown('view');
    const back = start(rig.scope, () => rig.session.rewind(first.id));
    await vi.waitFor(() => expect(rig.store.get().question?.message).toBe('Which seat?'));
    await back;
    const again = await rig.shown('view');
    for (const old of [first, second]) {
      rig.page.send(viewResponse({ renderId: renderIdOf(old), value: { seat: '9F' } }));
    }
    expect(rig.dead).toHaveLength(2);
    rig.page.send(viewResponse({ renderId: renderIdOf(again), value: { seat: '2B' } }));
    await vi.waitFor(() => expect(rig.store.get().question?.message).toBe('After 2B?'));
    rig.page.send(viewResponse({ renderId: renderIdOf(await rig.shown('view')), value: { seat: '3C' } }));
    expect(await end).toMatchObject({ value: ['2B', '3C'] });
  });

  it('gives way to the form when its answers do not fit twice', async () => {
    const rig = panel();
    const end = rig.run(pluginWith(picks));
    rig.page.send(viewResponse({ renderId: renderIdOf(await rig.shown('view')), value: { seat: 'x' } }));
    rig.page.send(viewResponse({ renderId: renderIdOf(await rig.shown('view', 2)), value: { seat: 'y' } }));
    const form = await rig.shown('form', 3);
    expect(form.notice).toBe('a plain form');
    rig.page.send(answerForm({ questionId: form.id, attempt: 3, content: { seat: '3A' } }));
    expect(await end).toMatchObject({ value: { seat: '3A' } });
  });

  it('gives way at once when its view crashes, with the cause in the log', async () => {
    const rig = panel();
    const end = rig.run(pluginWith(picks));
    const { id, body } = await rig.shown('view');
    const error = { name: 'TypeError', message: 'no seats' };
    rig.page.send(viewCrashed({ renderId: body.kind === 'view' ? body.renderId : '', error }));
    await rig.shown('form');
    expect(rig.errors).toEqual([expect.stringContaining('The form takes its place')]);
    rig.page.send(answerForm({ questionId: id, attempt: 1, content: { seat: '3A' } }));
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
    const rig = panel();
    const end = rig.run(pluginWith(handler as unknown as Handler));
    const { id } = await rig.shown('form');
    expect(rig.errors.map((line) => line.replace(/.*failed\. /, ''))).toEqual([
      'It runs once more.',
      'The form takes its place.',
    ]);
    rig.page.send(answerForm({ questionId: id, attempt: 1, content: { seat: '3A' } }));
    expect(await end).toMatchObject({ value: { seat: '3A' } });
  });

  it('is halted by Decline, with its cleanup done', async () => {
    const rig = panel();
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
    const end = rig.run(pluginWith(waits));
    await vi.waitFor(() =>
      expect(stageOf(rig.store.get())).toMatchObject({
        question: { body: { kind: 'busy', note: 'looking (50 %)' } },
      }),
    );
    expect(rig.store.get().shown?.view.key).toBe('test/seats');
    rig.page.send(decline({ questionId: rig.question().id }));
    expect(await end).toMatchObject({ value: { action: 'decline' } });
    expect(cleaned).toBe(true);
  });
});
