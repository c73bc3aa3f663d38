import { access, appendFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { all, race, suspend, until } from 'effection';
import { createMcpTool } from 'parley-mcp';
import * as z from 'zod';

const effect = (log: string, text: string) => until(appendFile(log, `${text}\n`));

/** Two questions between three steps, each of which adds a line to a file. */
export const release = createMcpTool('release')
  .description('Releases a version')
  .parameters(z.object({ log: z.string() }))
  .durable()
  .elicits({ version: z.object({ version: z.string() }), sure: z.object({ sure: z.boolean() }) })
  .execute(function* ({ log }, ctx) {
    yield* ctx.step('read', ({ id }) => effect(log, `read ${id}`));
    const { version } = yield* ctx.elicit.strict('version', { message: 'Which version?' });
    yield* ctx.step('tag', ({ id }) => effect(log, `tag ${version} ${id}`));
    const { sure } = yield* ctx.elicit.strict('sure', { message: `Publish ${version}?` });
    if (sure) yield* ctx.step('publish', ({ id }) => effect(log, `publish ${version} ${id}`));
    return `released ${version}: ${sure}`;
  });

const paying = (name: string, options: { readonly forks?: boolean }) =>
  createMcpTool(name)
    .description('Pays once somebody is sure')
    .parameters(z.object({ log: z.string() }))
    .durable(options)
    .elicits({ sure: z.object({ sure: z.boolean() }) })
    .execute(function* ({ log }, ctx) {
      yield* ctx.step('look', () => effect(log, 'looked'), { reads: true });
      yield* ctx.elicit.strict('sure', { message: 'Pay?' });
      yield* ctx.step('pay', () => effect(log, 'paid'));
      return 'paid';
    });

/** A step that reads, a question, and a step with an effect: once, or in each fork. */
export const pays = paying('pays', {});
export const paysAgain = paying('pays_again', { forks: true });

/** Asks with what it was given in its journal. */
export const long = createMcpTool('long')
  .description('Asks')
  .parameters(z.object({ text: z.string() }))
  .annotations({ readOnlyHint: true })
  .elicits({ name: z.object({ name: z.string() }) })
  .execute(function* (_, ctx) {
    const { name } = yield* ctx.elicit.strict('name', { message: 'Who?' });
    return `hello ${name}`;
  });

/** Three questions and nothing that it changes. */
export const plan = createMcpTool('plan')
  .description('Plans a trip')
  .parameters(z.object({ to: z.string() }))
  .annotations({ readOnlyHint: true })
  .elicits({
    day: z.object({ day: z.string() }),
    seat: z.object({ row: z.number().max(30) }),
    sure: z.object({ sure: z.boolean() }),
  })
  .execute(function* ({ to }, ctx) {
    const { day } = yield* ctx.elicit.strict('day', { message: `When to ${to}?` });
    const { row } = yield* ctx.elicit.strict('seat', { message: `Which row on ${day}?` });
    const { sure } = yield* ctx.elicit.strict('sure', { message: `Row ${row} on ${day}?` });
    return `${to} ${day} ${row} ${sure}`;
  });

/** A step that never ends where it is run first. */
export const stall = createMcpTool('stall')
  .description('Stalls')
  .parameters(z.object({ log: z.string() }))
  .durable()
  .elicits({ name: z.object({ name: z.string() }) })
  .execute(function* ({ log }, ctx) {
    const { name } = yield* ctx.elicit.strict('name', { message: 'Who?' });
    yield* ctx.step('stall', function* ({ id, attempt }) {
      yield* effect(log, `stall ${id} ${attempt}`);
      if (attempt === 1) yield* suspend();
    });
    return `hello ${name}`;
  });

/** Neither durable nor read-only. */
export const plain = createMcpTool('plain')
  .description('Asks')
  .parameters(z.object({}))
  .elicits({ name: z.object({ name: z.string() }) })
  .execute(function* (_, ctx) {
    const { name } = yield* ctx.elicit.strict('name', { message: 'Who?' });
    return `hello ${name}`;
  });

/** Waits between a question and a step. */
export const later = createMcpTool('later')
  .description('Waits')
  .parameters(z.object({ log: z.string(), milliseconds: z.number() }))
  .durable()
  .elicits({ stop: z.object({ stop: z.boolean() }) })
  .execute(function* ({ log, milliseconds }, ctx) {
    const how = yield* race([
      ctx.elicit.strict('stop', { message: 'Stop it?' }),
      (function* () {
        yield* ctx.sleep(milliseconds);
        yield* ctx.step('due', ({ id }) => effect(log, `due ${id}`));
        return { stop: false };
      })(),
    ]);
    return how.stop ? 'stopped' : 'done';
  });

/** Its second step ends the process the first time that it runs, in the middle. */
export const perish = createMcpTool('perish')
  .description('Dies once')
  .parameters(z.object({ log: z.string() }))
  .durable()
  .elicits({ name: z.object({ name: z.string() }) })
  .execute(function* ({ log }, ctx) {
    yield* ctx.step('before', ({ id }) => effect(log, `before ${id} 1`));
    const { name } = yield* ctx.elicit.strict('name', { message: 'Who?' });
    yield* ctx.step('dies', function* ({ id, attempt }) {
      yield* effect(log, `dies ${id} ${attempt}`);
      if (attempt === 1) process.kill(process.pid, 'SIGKILL');
    });
    return `hello ${name}`;
  });

/** Three questions, and one step that counts. */
export const tally = createMcpTool('tally')
  .description('Counts')
  .parameters(z.object({ log: z.string(), who: z.string() }))
  .durable()
  .elicits({
    first: z.object({ text: z.string() }),
    second: z.object({ text: z.string() }),
    third: z.object({ text: z.string() }),
  })
  .execute(function* ({ log, who }, ctx) {
    const { text: first } = yield* ctx.elicit.strict('first', { message: `first of ${who}` });
    const { text: second } = yield* ctx.elicit.strict('second', { message: `second of ${who}` });
    yield* ctx.step('count', ({ id, attempt }) => effect(log, `${who} ${id} ${attempt}`));
    const { text: third } = yield* ctx.elicit.strict('third', { message: `third of ${who}` });
    return `${who}: ${first} ${second} ${third}`;
  });

/** A step between a question and the end that takes until there is a file. */
export const linger = createMcpTool('linger')
  .description('Takes its time')
  .parameters(z.object({ log: z.string(), go: z.string() }))
  .durable()
  .elicits({ name: z.object({ name: z.string() }) })
  .execute(function* ({ log, go }, ctx) {
    const { name } = yield* ctx.elicit.strict('name', { message: 'Who?' });
    yield* ctx.step('lingers', function* () {
      yield* effect(log, 'begun');
      const isThere = () =>
        access(go).then(
          () => true,
          () => false,
        );
      while (!(yield* until(isThere()))) yield* until(delay(20));
    });
    return `hello ${name}`;
  });

/** Asks the user and the model at once: behind the model's answer is a step. */
export const both = createMcpTool('both')
  .description('Asks two things at once')
  .parameters(z.object({ log: z.string() }))
  .durable()
  .elicits({ seat: z.object({ row: z.number() }) })
  .execute(function* ({ log }, ctx) {
    const [{ row }] = yield* all([
      ctx.elicit.strict('seat', { message: 'Which row?' }),
      (function* () {
        const { text } = yield* ctx.sample({ prompt: 'Which hotel?', key: 'hotel' });
        yield* ctx.step('book', ({ id }) => effect(log, `book ${text} ${id}`));
      })(),
    ]);
    return `row ${row}`;
  });
