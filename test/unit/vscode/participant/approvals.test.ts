import { type Operation, run, sleep, spawn, suspend, withResolvers } from 'effection';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createMcpTool } from '#src/core/tool/create-mcp-tool.ts';
import type { AnyTool } from '#src/core/tool/tool.ts';
import { createChatApprovals } from '#src/vscode/agents/participant/approvals.ts';

const paint = (annotations = {}, description = 'Paints.') =>
  createMcpTool('paint')
    .description(description)
    .parameters(z.object({ color: z.string() }))
    .annotations(annotations)
    .title('Paint *it*')
    .elicits({})
    .execute(function* () {});

interface Choice {
  readonly title: string;
  readonly arguments?: readonly unknown[];
}

function chat() {
  const said: string[] = [];
  const buttons: Choice[] = [];
  const pressed = withResolvers<void>();
  return {
    said,
    buttons,
    asked: pressed.operation,
    stream: {
      markdown: (text: unknown) => void said.push(String(text)),
      button: (button: Choice) => void buttons.push(button),
    },
    links: (links: readonly Choice[]) => {
      buttons.push(...links);
      pressed.resolve();
    },
  };
}

const call = (input = {}, tool: AnyTool = paint()) => ({ callId: 'c', tool, input });
const t = (message: string, ...values: string[]) => message.replace('{0}', values[0] ?? '');
const never: Operation<void> = {
  *[Symbol.iterator]() {
    yield* suspend();
  },
};

/** Presses a button, by where it stands, once the question is asked. */
function* press(
  place: ReturnType<typeof chat>,
  approvals: ReturnType<typeof createChatApprovals>,
  at: number,
) {
  yield* place.asked;
  approvals.answer(...((place.buttons.slice(-3)[at]?.arguments ?? []) as [unknown, unknown]));
}

describe('an approval in the chat', () => {
  it.each([
    [0, true, '_You ran “Paint \\*it\\*”._'],
    [1, true, '_“Paint \\*it\\*” always runs in this chat._'],
    [2, false, '_You did not run “Paint \\*it\\*”._'],
  ])('is what the person presses (%i), and the chat says what that was', (at, allowed, told) =>
    run(function* () {
      const approvals = createChatApprovals();
      const place = chat();
      yield* spawn(() => press(place, approvals, at));
      const asked = { ...place, conversation: 'one', stopped: never, t };
      expect(yield* approvals.ask(call({ color: 'red' }), asked)).toBe(allowed);
      expect(place.buttons.map(({ title }) => title)).toEqual(['Run', 'Always in This Chat', 'Don’t Run']);
      expect(place.said.at(-1)?.trim()).toBe(told);
      expect(place.said[0]).toContain('Paint \\*it\\*');
    }),
  );

  it('shows all parameters, and nothing in them ends the block that they are in', () =>
    run(function* () {
      const approvals = createChatApprovals();
      const place = chat();
      yield* spawn(() => press(place, approvals, 0));
      const input = { color: 'x'.repeat(10_000), text: '```\n[press me](command:x)', last: 'seen' };
      yield* approvals.ask(call(input), { ...place, conversation: 'one', stopped: never, t });
      expect(place.said[0]).toContain('"last": "seen"');
      expect(place.said[0]?.match(/^````json$/gm)).toHaveLength(1);
    }));

  it('names the server of a tool, which may be called what another is called', () =>
    run(function* () {
      const place = chat();
      const approvals = createChatApprovals();
      const { def, ...tool } = paint();
      const foreign = { server: 'evil', tool: 'x', claims: {}, reached: '' };
      yield* spawn(() => press(place, approvals, 2));
      const asked = { ...place, conversation: 'one', stopped: never, t };
      yield* approvals.ask(call({}, { ...tool, def: { ...def, foreign } }), asked);
      expect(place.said[0]).toContain('evil: Paint');
    }));

  it('for this chat holds for this tool in this conversation, and no other', () =>
    run(function* () {
      const approvals = createChatApprovals();
      const place = chat();
      const asked = { ...place, conversation: 'one', stopped: never, t };
      yield* spawn(() => press(place, approvals, 1));
      yield* approvals.ask(call(), asked);
      expect(yield* approvals.ask(call(), asked)).toBe(true);
      expect(place.buttons).toHaveLength(3);
      const other = chat();
      yield* spawn(() => press(other, approvals, 2));
      expect(yield* approvals.ask(call(), { ...other, conversation: 'two', stopped: never, t })).toBe(false);
    }));

  it('for this chat answers for the other calls of this tool that wait for one', () =>
    run(function* () {
      const approvals = createChatApprovals();
      const place = chat();
      const asked = { ...place, conversation: 'one', stopped: never, t };
      const other = yield* spawn(() => approvals.ask(call({}, paint({}, 'Another.')), asked));
      const first = yield* spawn(() => approvals.ask(call({ color: 'red' }), asked));
      const second = yield* spawn(() => approvals.ask(call({ color: 'blue' }), asked));
      yield* sleep(0);
      const [, pressed] = place.buttons.slice(-3);
      approvals.answer(...((pressed?.arguments ?? []) as [unknown, unknown]));
      expect([yield* first, yield* second]).toEqual([true, true]);
      approvals.answer(...((place.buttons[2]?.arguments ?? []) as [unknown, unknown]));
      expect(yield* other).toBe(false);
    }));

  it('for this chat does not hold for what the tool becomes, nor for another server’s of its name', () =>
    run(function* () {
      const approvals = createChatApprovals();
      const place = chat();
      const of = (reached: string): AnyTool => {
        const { def, ...tool } = paint();
        return { ...tool, def: { ...def, foreign: { server: 's', tool: 'paint', claims: {}, reached } } };
      };
      yield* spawn(() => press(place, approvals, 1));
      yield* approvals.ask(call({}, of('one')), { ...place, conversation: 'one', stopped: never, t });
      for (const changed of [paint({}, 'Paints over.'), of('other')]) {
        const again = chat();
        yield* spawn(() => press(again, approvals, 2));
        const asked = { ...again, conversation: 'one', stopped: never, t };
        expect(yield* approvals.ask(call({}, changed), asked)).toBe(false);
      }
    }));

  it('is a no when the turn is stopped, and a button pressed later does nothing', () =>
    run(function* () {
      const approvals = createChatApprovals();
      const place = chat();
      const stopped = place.asked;
      expect(yield* approvals.ask(call(), { ...place, conversation: 'one', stopped, t })).toBe(false);
      expect(place.said).toHaveLength(1);
      const [run, always] = place.buttons;
      approvals.answer(...((always?.arguments ?? []) as [unknown, unknown]));
      approvals.answer(run?.arguments?.[0], 'anything');
      const again = chat();
      yield* spawn(() => press(again, approvals, 2));
      expect(yield* approvals.ask(call(), { ...again, conversation: 'one', stopped: never, t })).toBe(false);
    }));

  it('is not asked for what only reads', () =>
    run(function* () {
      const place = chat();
      const asked = { ...place, conversation: 'one', stopped: never, t };
      expect(yield* createChatApprovals().ask(call({}, paint({ readOnlyHint: true })), asked)).toBe(true);
      expect(place.said).toEqual([]);
    }));
});
