import { type Operation, run, spawn, suspend, withResolvers } from 'effection';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { createMcpTool } from '#src/core/index.ts';
import type { Client } from '#src/runtime/session/client.ts';
import { createMemoryStore } from '#src/stores/index.ts';
import { accept, away, callRig, leg, said } from './call-rig.ts';

const text = z.object({ text: z.string() });
const plan = createMcpTool('plan')
  .description('Asks twice')
  .parameters(z.object({}))
  .durable()
  .elicits({ day: text, meal: text })
  .execute(function* (_, ctx) {
    const day = yield* ctx.elicit.strict('day', { message: 'When?' });
    const meal = yield* ctx.elicit.strict('meal', { message: 'What?' });
    return `${meal.text} on ${day.text}`;
  });

/** A person at a panel, who answers the first question, and looks at the second. */
function panelOf(): { readonly panel: Client; readonly looking: Operation<void> } {
  const { operation: looking, resolve } = withResolvers<void>();
  const panel: Client = {
    ...away,
    name: 'panel',
    *elicit({ wireKey }) {
      if (wireKey === 'day') return { action: 'accept', content: { text: 'monday' } };
      resolve();
      return (yield* suspend()) as never;
    },
  };
  return { panel, looking };
}

it.each([
  ['in the same process', 0],
  ['in another process', 1],
] as const)('a client goes on with a call that a panel is attached to %s', async (_, at) => {
  await run(function* () {
    const store = createMemoryStore();
    const rigs = [yield* callRig({ store }), yield* callRig({ store })];
    const [here, there] = [rigs[0], rigs[at]] as [(typeof rigs)[0], (typeof rigs)[0]];
    const { name, round } = yield* here.calls.start(here.beginning(plan), leg('', {}));
    const { panel, looking } = panelOf();
    const attached = yield* spawn(() => here.calls.attach(name, here.beginning(plan, panel), 'end'));
    yield* looking;
    const back = (id = '', answers = {}) =>
      there.calls.attach(name, there.beginning(plan), 'blocked', leg(id, answers));
    const waits = yield* back(round);
    expect(waits).toMatchObject({ status: 'waiting', asks: [{ wireKey: 'meal' }] });
    const end = yield* back(waits.round, { meal: accept({ text: 'soup' }) });
    expect(end.end).toMatchObject({ type: 'result', value: 'soup on monday' });
    expect((yield* attached).end).toEqual(end.end);
  });
});

it('a call that stood a moment is not run again, whatever else its process did meanwhile', async () => {
  await run(function* () {
    let runs = 0;
    const counted = createMcpTool('counted')
      .description('Asks')
      .parameters(z.object({}))
      .durable()
      .elicits({ day: text })
      .execute(function* (_, ctx) {
        runs += 1;
        return (yield* ctx.elicit.strict('day', { message: 'When?' })).text;
      });
    const { calls, beginning } = yield* callRig({ store: createMemoryStore() });
    const { name, round = '' } = yield* calls.start(beginning(counted), leg('', {}));
    yield* calls.start(beginning(plan), leg('', {}));
    const day = { day: accept({ text: 'monday' }) };
    const { end } = yield* calls.attach(name, beginning(counted), 'blocked', leg(round, day));
    expect(end).toMatchObject({ type: 'result', value: 'monday' });
    expect(runs).toBe(1);
  });
});

it('what a client said early is given when it comes back, also where a panel was asked first', async () => {
  await run(function* () {
    const { calls, beginning } = yield* callRig();
    const early = { meal: accept({ text: 'soup' }) };
    const { name, round } = yield* calls.start(beginning(plan), leg('', early));
    const { panel, looking } = panelOf();
    const attached = yield* spawn(() => calls.attach(name, beginning(plan, panel), 'end'));
    yield* looking;
    const { end } = yield* calls.attach(name, beginning(plan), 'blocked', leg(round ?? '', {}));
    expect(end).toMatchObject({ type: 'result', value: 'soup on monday' });
    yield* attached;
  });
});

it('a message answers nothing that only the person in the editor may answer', async () => {
  await run(function* () {
    const paints = createMcpTool('paints')
      .description('Paints in the editor')
      .parameters(z.object({}))
      .requires({ editor: true })
      .elicits({ day: text })
      .execute(function* (_, ctx) {
        return (yield* ctx.elicit.strict('day', { message: 'Sure?' })).text;
      });
    const { calls, manager, beginning } = yield* callRig();
    const capabilities = { elicitation: { form: true }, editor: true } as const;
    const editor: Client = { ...away, capabilities: () => capabilities };
    const create = () =>
      manager.create({ tool: paints, params: {}, capabilities, principal: 'p', retain: true });
    const { name } = yield* calls.start({ ...beginning(paints, editor), create }, leg('', {}));
    yield* calls.send(name, said('one', { day: accept({ text: 'yes' }) }));
    expect(yield* calls.get(name)).toMatchObject({
      status: 'waiting',
      asks: [{ wireKey: 'day', attempt: 1 }],
    });
  });
});
