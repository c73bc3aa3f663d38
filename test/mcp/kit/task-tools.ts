import { access, appendFile } from 'node:fs/promises';
import { all, type Operation, sleep, suspend, until } from 'effection';
import { createMcpTool } from 'parley-mcp';
import * as z from 'zod';

function* effect(log: string, text: string): Operation<void> {
  yield* until(appendFile(log, `${text}\n`));
}

/** Works a little, without a question. */
export const work = createMcpTool('work')
  .description('Works')
  .parameters(z.object({ fails: z.boolean().default(false) }))
  .task()
  .elicits({})
  .execute(function* ({ fails }, ctx) {
    yield* ctx.sleep(50);
    if (fails) throw new Error('the work failed');
    return 'worked';
  });

/** One question between two steps, each of which adds a line to a file. */
export const ship = createMcpTool('ship')
  .description('Ships a parcel')
  .parameters(z.object({ log: z.string() }))
  .durable()
  .task()
  .elicits({ where: z.object({ row: z.number().max(30) }) })
  .execute(function* ({ log }, ctx) {
    yield* ctx.step('pack', ({ id }) => effect(log, `pack ${id}`));
    yield* ctx.notify('packed');
    const { row } = yield* ctx.elicit.strict('where', { message: 'Which row?' });
    yield* ctx.step('ship', ({ id }) => effect(log, `ship ${row} ${id}`));
    return `shipped to ${row}`;
  });

/** Neither durable nor read-only: its calls stay in their process. */
export const here = createMcpTool('here')
  .description('Asks here')
  .parameters(z.object({}))
  .task({ required: true })
  .elicits({ name: z.object({ name: z.string() }) })
  .execute(function* (_, ctx) {
    const { name } = yield* ctx.elicit.strict('name', { message: 'Who?' });
    return `hello ${name}`;
  });

/** A step that takes until it is halted, and says that it was. */
export const endless = createMcpTool('endless')
  .description('Never ends')
  .parameters(z.object({ log: z.string() }))
  .durable()
  .task()
  .elicits({})
  .execute(function* ({ log }, ctx) {
    yield* ctx.step('endless', function* ({ attempt }) {
      try {
        // It may be halted as soon as others read this.
        yield* effect(log, `begun ${attempt}`);
        yield* suspend();
      } finally {
        yield* effect(log, 'halted');
      }
    });
    return 'ended';
  });

/** Asks while a step of it runs: until there is a file. */
export const beside = createMcpTool('beside')
  .description('Works and asks')
  .parameters(z.object({ log: z.string(), go: z.string() }))
  .durable()
  .task()
  .elicits({ where: z.object({ row: z.number().max(30) }) })
  .execute(function* ({ log, go }, ctx) {
    const isThere = () =>
      until(
        access(go)
          .then(() => true)
          .catch(() => false),
      );
    const [row] = yield* all([
      (function* () {
        const { row } = yield* ctx.elicit.strict('where', { message: 'Which row?' });
        yield* ctx.step('row', () => effect(log, `row ${row}`));
        return row;
      })(),
      ctx.step('work', function* ({ attempt }) {
        yield* effect(log, `begun ${attempt}`);
        while (!(yield* isThere())) yield* sleep(20);
      }),
    ]);
    return `worked for ${row}`;
  });

const askRow = createMcpTool('ask_row')
  .description('Asks for a row')
  .parameters(z.object({ of: z.string() }))
  .durable()
  .elicits({ where: z.object({ row: z.number().max(30) }) })
  .execute(function* ({ of }, ctx) {
    const { row } = yield* ctx.elicit.strict('where', { message: `Which row of ${of}?` });
    return row;
  });

/** Three tools that ask at once, and a step before and after. */
export const rows = createMcpTool('rows')
  .description('Asks for three rows')
  .parameters(z.object({ log: z.string() }))
  .durable()
  .task()
  .elicits({})
  .execute(function* ({ log }, ctx) {
    yield* ctx.step('begin', () => effect(log, 'begun'));
    const given = yield* all(['A', 'B', 'C'].map((of) => ctx.call(askRow, { of })));
    yield* ctx.step('end', () => effect(log, 'ended'));
    return given.join(' ');
  });

/** Says nothing of tasks. */
export const plainly = createMcpTool('plainly')
  .description('Answers at once')
  .parameters(z.object({}))
  .elicits({})
  .execute(function* () {
    return 'at once';
  });
