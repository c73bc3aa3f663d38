import { createHash, randomBytes } from 'node:crypto';
import {
  acceptedContent,
  type CallToolResult,
  createRequestStateCodec,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type * as z from 'zod';
import { amount, day, draft, named, size, sure, type World } from './world.ts';

type Args = { id: string };
type Result = CallToolResult | InputRequiredResult;

/** What is kept between two requests. */
interface State {
  readonly call: string;
  readonly at: string;
  readonly [field: string]: unknown;
}

const codec = createRequestStateCodec<State>({ key: randomBytes(32) });
export const requestState = { verify: codec.verify };

const text = (words: string, isError = false): CallToolResult => ({
  content: [{ type: 'text', text: words }],
  ...(isError && { isError }),
});
const DECLINED = text('the person declined', true);

// A state is bound to its call by hand: the codec knows neither the tool nor its arguments.
function stateOf(ctx: ServerContext, tool: string, { id }: Args): State {
  const call = createHash('sha256')
    .update(JSON.stringify([tool, id]))
    .digest('base64url');
  const state = ctx.mcpReq.requestState<State>();
  if (state && state.call !== call) throw new Error('Invalid or expired requestState');
  return state ?? { call, at: 'begin' };
}

async function ask(ctx: ServerContext, state: State, message: string, schema: z.ZodType): Promise<Result> {
  const asked = inputRequired.elicit({ message, requestedSchema: schema as never });
  return inputRequired({ inputRequests: { q: asked }, requestState: await codec.mint(state, ctx) });
}

async function sample(ctx: ServerContext, state: State, prompt: string): Promise<Result> {
  const messages = [{ role: 'user' as const, content: { type: 'text' as const, text: prompt } }];
  const asked = inputRequired.createMessage({ messages, maxTokens: 200 });
  return inputRequired({ inputRequests: { q: asked }, requestState: await codec.mint(state, ctx) });
}

function sampled(ctx: ServerContext): string {
  const view = inputResponse(ctx.mcpReq.inputResponses, 'q');
  const blocks = view.kind === 'sampling' ? [view.result.content].flat() : [];
  return blocks.map((block) => ('text' in block ? block.text : '')).join('');
}

// What came: nothing yet, a refusal, an answer that does not fit, or an answer.
function reply<S extends z.ZodType>(
  ctx: ServerContext,
  schema: S,
): 'missing' | 'refused' | 'wrong' | { said: z.output<S> } {
  const view = inputResponse(ctx.mcpReq.inputResponses, 'q');
  if (view.kind === 'missing') return 'missing';
  if (view.kind === 'elicit' && view.action !== 'accept') return 'refused';
  const said = acceptedContent(ctx.mcpReq.inputResponses, 'q', schema as never);
  return said === undefined ? 'wrong' : { said: said as z.output<S> };
}

/** The same ten handlers, as they are written by hand: called anew with each answer. */
export const byHandOf = (world: World) => ({
  // begin
  async remove(args: Args, ctx: ServerContext) {
    const state = stateOf(ctx, 'remove', args);
    const got = reply(ctx, sure);
    if (got === 'refused') return DECLINED;
    if (typeof got === 'string') return ask(ctx, state, `Remove ${args.id}?`, sure);
    if (!got.said.ok) return text('left');
    return text(await world.once(`${state.call}/remove`, () => world.act(`remove ${args.id}`, 'removed')));
  },
  // begin
  async empty(args: Args, ctx: ServerContext) {
    const state = stateOf(ctx, 'empty', args);
    const rows = state.rows ?? (await world.count(args.id));
    const tries = Number(state.tries ?? 1);
    const question = `Delete ${rows} rows? Type its name.`;
    const got = reply(ctx, named);
    if (got === 'refused') return DECLINED;
    if (got === 'missing') return ask(ctx, { ...state, rows, tries }, question, named);
    if (typeof got === 'string' || got.said.name !== args.id) {
      if (tries === 3) return text('the name was not typed', true);
      return ask(ctx, { ...state, rows, tries: tries + 1 }, question, named);
    }
    return text(
      await world.once(`${state.call}/delete`, () => world.act(`delete ${args.id}`, `deleted ${rows}`)),
    );
  },
  // begin
  async refund(args: Args, ctx: ServerContext) {
    const state = stateOf(ctx, 'refund', args);
    if (state.at === 'begin') {
      const paid = await world.paid(args.id);
      return ask(ctx, { ...state, at: 'amount', paid }, `Refund how much of ${paid}?`, amount);
    }
    if (state.at === 'amount') {
      const got = reply(ctx, amount);
      if (got === 'refused') return DECLINED;
      if (got === 'missing') return ask(ctx, state, `Refund how much of ${state.paid}?`, amount);
      if (got === 'wrong' || got.said.amount > Number(state.paid))
        return ask(ctx, state, `No more than ${state.paid}.`, amount);
      const next = { ...state, at: 'letter', amount: got.said.amount };
      return sample(ctx, next, `A letter about ${got.said.amount}`);
    }
    if (state.at === 'letter') {
      const letter = sampled(ctx);
      return ask(ctx, { ...state, at: 'send', letter }, `Send this? ${letter}`, draft);
    }
    const got = reply(ctx, draft);
    if (got === 'refused') return DECLINED;
    if (typeof got === 'string') return ask(ctx, state, `Send this? ${state.letter}`, draft);
    await world.once(`${state.call}/refund`, () => world.act(`refund ${state.amount}`, null));
    await world.once(`${state.call}/mail`, () => world.act(`mail ${got.said.text || state.letter}`, null));
    return text(`refunded ${state.amount}`);
  },
  // begin
  async rotate(args: Args, ctx: ServerContext) {
    const state = stateOf(ctx, 'rotate', args);
    if (state.at === 'begin') {
      const keys = await world.keys(args.id);
      return ask(ctx, { ...state, at: 'which', keys }, `Which key? ${keys.join(', ')}`, named);
    }
    if (state.at === 'which') {
      const keys = state.keys as string[];
      const got = reply(ctx, named);
      if (got === 'refused') return DECLINED;
      if (typeof got === 'string' || !keys.includes(got.said.name))
        return ask(ctx, state, `Which key? ${keys.join(', ')}`, named);
      const made = await world.once(`${state.call}/mint`, () => world.act('mint', 'new'));
      const { name } = got.said;
      return ask(ctx, { ...state, at: 'switch', name, made }, `${made} is made. Revoke ${name}?`, sure);
    }
    const got = reply(ctx, sure);
    if (got === 'refused') return DECLINED;
    if (typeof got === 'string') return ask(ctx, state, `${state.made} is made. Revoke ${state.name}?`, sure);
    const { ok } = got.said;
    await world.once(`${state.call}/revoke`, () => world.act(`revoke ${ok ? state.name : state.made}`, null));
    return text(ok ? `${state.made} is used` : 'left');
  },
  // begin
  async book(args: Args, ctx: ServerContext) {
    const state = stateOf(ctx, 'book', args);
    if (state.at === 'begin') {
      const days = await world.free(args.id);
      return ask(ctx, { ...state, at: 'day', days }, `When? ${days.join(', ')}`, day);
    }
    if (state.at === 'day') {
      const got = reply(ctx, day);
      if (got === 'refused') return DECLINED;
      if (typeof got === 'string')
        return ask(ctx, state, `When? ${(state.days as string[]).join(', ')}`, day);
      return ask(ctx, { ...state, at: 'sure', day: got.said.day }, `Book ${got.said.day}?`, sure);
    }
    const got = reply(ctx, sure);
    if (got === 'refused') return DECLINED;
    if (typeof got === 'string') return ask(ctx, state, `Book ${state.day}?`, sure);
    if (!got.said.ok) return text('left');
    return text(
      await world.once(`${state.call}/book`, () => world.act(`book ${state.day}`, `booked ${state.day}`)),
    );
  },
  // begin
  async order(args: Args, ctx: ServerContext) {
    const state = stateOf(ctx, 'order', args);
    if (state.at === 'begin') {
      const got = reply(ctx, size);
      if (got === 'refused') return DECLINED;
      if (typeof got === 'string') return ask(ctx, state, `Size of ${args.id}?`, size);
      return ask(
        ctx,
        { ...state, at: 'color', size: got.said.size },
        `${got.said.size}: which color?`,
        named,
      );
    }
    const got = reply(ctx, named);
    if (got === 'refused') return DECLINED;
    if (typeof got === 'string') return ask(ctx, state, `${state.size}: which color?`, named);
    const what = `${state.size} ${got.said.name}`;
    return text(await world.once(`${state.call}/order`, () => world.act(`order ${what}`, what)));
  },
  // begin
  async rename(args: Args, ctx: ServerContext) {
    const state = stateOf(ctx, 'rename', args);
    const got = reply(ctx, named);
    if (got === 'refused') return text('kept its name');
    if (typeof got === 'string') return ask(ctx, state, `New name of ${args.id}?`, named);
    const { name } = got.said;
    return text(await world.once(`${state.call}/rename`, () => world.act(`rename ${name}`, `is ${name}`)));
  },
  // begin
  async summarize(args: Args, ctx: ServerContext) {
    const state = stateOf(ctx, 'summarize', args);
    if (state.at === 'begin') return sample(ctx, { ...state, at: 'text' }, `Summarize ${args.id}`);
    if (state.at === 'text') {
      const made = sampled(ctx);
      return ask(ctx, { ...state, at: 'keep', made }, `Keep this? ${made}`, draft);
    }
    const got = reply(ctx, draft);
    if (got === 'refused') return DECLINED;
    if (typeof got === 'string') return ask(ctx, state, `Keep this? ${state.made}`, draft);
    return text(got.said.text || String(state.made));
  },
  // begin
  async publish(args: Args, ctx: ServerContext) {
    const state = stateOf(ctx, 'publish', args);
    const got = reply(ctx, sure);
    if (got === 'refused') return DECLINED;
    if (state.at === 'begin') {
      if (typeof got === 'string') return ask(ctx, state, `Publish ${args.id} to staging?`, sure);
      if (!got.said.ok) return text('left');
      await world.once(`${state.call}/staging`, () => world.act('staging', null));
      return ask(ctx, { ...state, at: 'public' }, 'Staging is there. To everybody?', sure);
    }
    if (typeof got === 'string') return ask(ctx, state, 'Staging is there. To everybody?', sure);
    if (!got.said.ok) return text('staging only');
    return text(await world.once(`${state.call}/public`, () => world.act('public', 'published')));
  },
  // begin
  async collect(args: Args, ctx: ServerContext) {
    const state = stateOf(ctx, 'collect', args);
    const names = (state.names ?? []) as string[];
    const got = reply(ctx, named);
    if (got === 'refused') return DECLINED;
    if (typeof got === 'string') return ask(ctx, state, `${names.length} so far. Another?`, named);
    if (got.said.name === '') return text(names.join(', '));
    const more = [...names, got.said.name];
    return ask(ctx, { ...state, names: more }, `${more.length} so far. Another?`, named);
  },
  // end
});
