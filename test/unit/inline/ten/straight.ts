import type { Straight } from 'parley-mcp/inline';
import { amount, day, draft, named, size, sure, type World } from './world.ts';

type Args = { id: string };

/** Ten handlers, straight. */
export const straightOf = (straight: Straight, world: World) => ({
  // begin
  remove: straight(function* remove({ id }: Args, ctx) {
    const { ok } = yield* ctx.elicit.strict({ message: `Remove ${id}?`, schema: sure });
    return ok ? yield* ctx.step('remove', () => world.act(`remove ${id}`, 'removed')) : 'left';
  }),
  // begin
  empty: straight(function* empty({ id }: Args, ctx) {
    const rows = yield* ctx.step('count', () => world.count(id), { reads: true });
    for (let tries = 1; tries <= 3; tries++) {
      const { name } = yield* ctx.elicit.strict({
        message: `Delete ${rows} rows? Type its name.`,
        schema: named,
      });
      if (name === id) return yield* ctx.step('delete', () => world.act(`delete ${id}`, `deleted ${rows}`));
    }
    throw new Error('the name was not typed');
  }),
  // begin
  refund: straight(function* refund({ id }: Args, ctx) {
    const paid = yield* ctx.step('paid', () => world.paid(id), { reads: true });
    let given = yield* ctx.elicit.strict({ message: `Refund how much of ${paid}?`, schema: amount });
    while (given.amount > paid)
      given = yield* ctx.elicit.strict({ message: `No more than ${paid}.`, schema: amount });
    const letter = yield* ctx.sample({ prompt: `A letter about ${given.amount}`, maxTokens: 200 });
    const { text } = yield* ctx.elicit.strict({ message: `Send this? ${letter.text}`, schema: draft });
    yield* ctx.step('refund', () => world.act(`refund ${given.amount}`, null));
    yield* ctx.step('mail', () => world.act(`mail ${text || letter.text}`, null));
    return `refunded ${given.amount}`;
  }),
  // begin
  rotate: straight(function* rotate({ id }: Args, ctx) {
    const keys = yield* ctx.step('keys', () => world.keys(id), { reads: true });
    let name = '';
    while (!keys.includes(name))
      ({ name } = yield* ctx.elicit.strict({ message: `Which key? ${keys.join(', ')}`, schema: named }));
    const made = yield* ctx.step('mint', () => world.act('mint', 'new'));
    const { ok } = yield* ctx.elicit.strict({ message: `${made} is made. Revoke ${name}?`, schema: sure });
    return yield* ctx.step('revoke', () =>
      world.act(`revoke ${ok ? name : made}`, ok ? `${made} is used` : 'left'),
    );
  }),
  // begin
  book: straight(function* book({ id }: Args, ctx) {
    const days = yield* ctx.step('free', () => world.free(id), { reads: true });
    const said = yield* ctx.elicit.strict({ message: `When? ${days.join(', ')}`, schema: day });
    const { ok } = yield* ctx.elicit.strict({ message: `Book ${said.day}?`, schema: sure });
    return ok ? yield* ctx.step('book', () => world.act(`book ${said.day}`, `booked ${said.day}`)) : 'left';
  }),
  // begin
  order: straight(function* order({ id }: Args, ctx) {
    const said = yield* ctx.elicit.strict({ message: `Size of ${id}?`, schema: size });
    const { name } = yield* ctx.elicit.strict({ message: `${said.size}: which color?`, schema: named });
    return yield* ctx.step('order', () => world.act(`order ${said.size} ${name}`, `${said.size} ${name}`));
  }),
  // begin
  rename: straight(function* rename({ id }: Args, ctx) {
    const said = yield* ctx.elicit({ message: `New name of ${id}?`, schema: named });
    if (said.action !== 'accept') return 'kept its name';
    return yield* ctx.step('rename', () =>
      world.act(`rename ${said.content.name}`, `is ${said.content.name}`),
    );
  }),
  // begin
  summarize: straight(function* summarize({ id }: Args, ctx) {
    const { text } = yield* ctx.sample({ prompt: `Summarize ${id}`, maxTokens: 100 });
    const said = yield* ctx.elicit.strict({ message: `Keep this? ${text}`, schema: draft });
    return said.text || text;
  }),
  // begin
  publish: straight(function* publish({ id }: Args, ctx) {
    const first = yield* ctx.elicit.strict({ message: `Publish ${id} to staging?`, schema: sure });
    if (!first.ok) return 'left';
    yield* ctx.step('staging', () => world.act('staging', null));
    const { ok } = yield* ctx.elicit.strict({ message: 'Staging is there. To everybody?', schema: sure });
    return ok ? yield* ctx.step('public', () => world.act('public', 'published')) : 'staging only';
  }),
  // begin
  collect: straight(function* collect(_: Args, ctx) {
    const names: string[] = [];
    for (let name = 'any'; name !== ''; ) {
      ({ name } = yield* ctx.elicit.strict({ message: `${names.length} so far. Another?`, schema: named }));
      if (name !== '') names.push(name);
    }
    return names.join(', ');
  }),
  // end
});
