import type { Operation } from 'effection';
import { describe, expectTypeOf, it } from 'vitest';
import * as z from 'zod';
import type {
  AnyPlugin,
  AnyTool,
  ElicitsOf,
  HandoffOf,
  ParamsOf,
  ResultOf,
  ToolContext,
} from '#src/core/index.ts';
import { createMcpTool, makePlugin } from '#src/core/index.ts';

const start = createMcpTool('book')
  .description('Books.')
  .parameters(z.object({ from: z.string() }));

describe('the types of a tool', () => {
  it('flow from its schemas to its code and its result', () => {
    const tool = start
      .elicits({
        pickFlight: z.object({ flight: z.string(), seats: z.int().default(1) }),
        pickSeat: {
          response: z.object({ seat: z.enum(['1A', '1B']) }),
          context: z.object({ taken: z.array(z.string()), row: z.coerce.number<string>() }),
        },
      })
      .execute(function* (params, ctx) {
        expectTypeOf(params).toEqualTypeOf<{ from: string }>();
        const flight = yield* ctx.elicit('pickFlight', { message: 'Which?', fares: [1, 2] });
        if (flight.action !== 'accept') return { booked: false };
        expectTypeOf(flight.content).toEqualTypeOf<{ flight: string; seats: number }>();
        const seat = yield* ctx.elicit.strict('pickSeat', { message: 'Seat?', taken: [], row: '1' });
        expectTypeOf(seat.seat).toEqualTypeOf<'1A' | '1B'>();
        return { booked: true, seat: seat.seat };
      });
    expectTypeOf<ParamsOf<typeof tool>>().toEqualTypeOf<{ from: string }>();
    expectTypeOf<ResultOf<typeof tool>['booked']>().toEqualTypeOf<boolean>();
    expectTypeOf<keyof ElicitsOf<typeof tool>>().toEqualTypeOf<'pickFlight' | 'pickSeat'>();
    expectTypeOf<HandoffOf<typeof tool>>().toEqualTypeOf<undefined>();
    expectTypeOf(tool.name).toEqualTypeOf<'book'>();
    expectTypeOf(tool).toExtend<AnyTool>();
  });

  it('flow through the three phases', () => {
    const tool = start.elicits({ who: z.object({ name: z.string() }) }).handoff({
      *before(params, ctx) {
        expectTypeOf(params.from).toEqualTypeOf<string>();
        expectTypeOf(ctx).not.toHaveProperty('elicit');
        yield* ctx.log('info', 'hi');
        return { fares: [1, 2] };
      },
      *client(handoff, ctx, params) {
        expectTypeOf(handoff).toEqualTypeOf<{ fares: number[] }>();
        expectTypeOf(params.from).toEqualTypeOf<string>();
        const who = yield* ctx.elicit('who', { message: 'Who?' });
        return who.action === 'accept' ? who.content.name : undefined;
      },
      *after(handoff, result, ctx, params) {
        expectTypeOf(handoff.fares).toEqualTypeOf<number[]>();
        expectTypeOf(result).toEqualTypeOf<string | undefined>();
        yield* ctx.notify('done');
        return { name: result, from: params.from };
      },
    });
    expectTypeOf<HandoffOf<typeof tool>>().toEqualTypeOf<{ fares: number[] }>();
    expectTypeOf<ResultOf<typeof tool>>().toEqualTypeOf<{ name: string | undefined; from: string }>();
    expectTypeOf(tool).toExtend<AnyTool>();
    makePlugin(tool).onElicit({
      *who(request) {
        expectTypeOf(request.handoff.fares).toEqualTypeOf<number[]>();
        return { action: 'decline' };
      },
    });
  });

  it('hold the result to the output schema', () => {
    const withOutput = start.output(z.object({ total: z.number().default(0) })).elicits({});
    const tool = withOutput.execute(function* () {
      return {};
    });
    expectTypeOf<ResultOf<typeof tool>>().toEqualTypeOf<{ total: number }>();
    // @ts-expect-error: the output schema says number
    withOutput.execute(function* () {
      return { total: 'three' };
    });
  });

  it('let a plugin be registered without a cast', () => {
    const tool = start
      .elicits({ a: z.object({ x: z.string() }), b: z.object({ y: z.number() }) })
      .execute(function* () {
        return 1;
      });
    const plugin = makePlugin(tool)
      .onElicit({
        *a(request, ctx) {
          expectTypeOf(request.params).toEqualTypeOf<{ from: string }>();
          expectTypeOf(request.key).toEqualTypeOf<'a'>();
          expectTypeOf(request.handoff).toEqualTypeOf<undefined>();
          expectTypeOf(ctx.elicitRequest.attempt).toEqualTypeOf<number>();
          return { action: 'accept', content: { x: 'x' } };
        },
        b: 'form',
      })
      .build();
    const registered: AnyPlugin[] = [plugin];
    expectTypeOf(registered).toExtend<readonly AnyPlugin[]>();
  });
});

describe('what must not compile', () => {
  const never = () => {
    // @ts-expect-error: call .description() before .parameters()
    createMcpTool('x').parameters(z.object({}));
    // @ts-expect-error: call .parameters() before .title()
    createMcpTool('x').description('d').title('t');
    // @ts-expect-error: .title() was called before
    start.title('a').title('b');
    // @ts-expect-error: call .elicits() before .execute()
    start.execute(function* () {});
    // @ts-expect-error: call .title() before .elicits()
    start.elicits({}).title('late');
    // @ts-expect-error: parameters are an object
    createMcpTool('x').description('d').parameters(z.string());
    // @ts-expect-error: parameters are an object
    createMcpTool('x').description('d').parameters(z.array(z.string()));
    start.elicits({
      // @ts-expect-error: the property 'nested' is not a form field
      bad: z.object({ fine: z.string(), nested: z.object({ a: z.string() }) }),
      good: z.object({ fine: z.string() }),
    });
    // @ts-expect-error: the property 'counts' is not a form field
    start.elicits({ bad: z.object({ counts: z.array(z.number()) }) });
    // @ts-expect-error: no null in forms
    start.elicits({ bad: z.object({ a: z.string().nullable() }) });
    // @ts-expect-error: an answer is an object
    start.elicits({ bad: z.string() });
    start.elicits({
      // @ts-expect-error: a context field may not be called 'params'
      bad: { response: z.object({ a: z.string() }), context: z.object({ params: z.string() }) },
    });
    const asks = start.elicits({
      bare: z.object({ a: z.string() }),
      rich: { response: z.object({ a: z.string() }), context: z.object({ board: z.string() }) },
    });
    asks.execute(function* (_params, ctx) {
      // @ts-expect-error: not declared
      yield* ctx.elicit('other', { message: 'm' });
      // @ts-expect-error: the declared context is missing
      yield* ctx.elicit('rich', { message: 'm' });
      // @ts-expect-error: reserved
      yield* ctx.elicit('bare', { message: 'm', handoff: 1 });
      // @ts-expect-error: url mode does not exist here
      yield* ctx.elicit('bare', { message: 'm', mode: 'url' });
      // @ts-expect-error: attempts are for withRetry
      yield* ctx.elicit('bare', { message: 'm', maxAttempts: 2 });
      yield* ctx.elicit.withRetry('bare', { message: 'm', maxAttempts: 2 });
      yield* ctx.elicit.withRetry('rich', { message: 'm', board: 'x', onDecline: 'return' });
      yield* ctx.elicit({ message: 'm', schema: z.object({ a: z.string() }) });
      // @ts-expect-error: not flat
      yield* ctx.elicit({ message: 'm', schema: z.object({ a: z.object({}) }) });
      // @ts-expect-error: schema and tools together
      yield* ctx.sample({ prompt: 'p', schema: z.object({}), tools: [] });
      // @ts-expect-error: prompt and messages together
      yield* ctx.sample({ prompt: 'p', messages: [] });
    });
    const tool = asks.execute(function* () {
      return 1;
    });
    // @ts-expect-error: 'rich' has no handler
    makePlugin(tool).onElicit({ bare: 'form' });
    // @ts-expect-error: no elicitation 'extra'
    makePlugin(tool).onElicit({ bare: 'form', rich: 'form', extra: 'form' });
    makePlugin(tool).onElicit({
      bare: 'form',
      // @ts-expect-error: the answer does not fit
      *rich() {
        return { action: 'accept', content: { a: 1 } };
      },
    });
    // @ts-expect-error: call .onElicit() before .build()
    makePlugin(tool).build();
    const silent = start.elicits({}).execute(function* () {});
    // @ts-expect-error: no elicitation 'extra'
    makePlugin(silent).onElicit({ extra: 'form' });
    makePlugin(silent).onElicit({});
  };

  it('is checked by the compiler', () => {
    expectTypeOf(never).toEqualTypeOf<() => void>();
    expectTypeOf<Operation<void>>().not.toBeAny();
  });
});

describe('what ctx.call takes', () => {
  const measure = createMcpTool('measure')
    .description('d')
    .parameters(z.object({ place: z.string(), unit: z.enum(['C', 'F']).default('C') }))
    .elicits({})
    .execute(function* () {
      return { degrees: 21 };
    });
  const plugin = makePlugin(measure).onElicit({}).build();
  const never = function* (ctx: ToolContext, any: AnyTool) {
    // What has a default may be left out.
    expectTypeOf(yield* ctx.call(measure, { place: 'Lisbon' })).toEqualTypeOf<{ degrees: number }>();
    expectTypeOf(yield* ctx.call(plugin, { place: 'Lisbon', unit: 'F' })).toEqualTypeOf<{
      degrees: number;
    }>();
    // What is known of neither a name nor any tool is for the schema to say, when the call begins.
    yield* ctx.call('github/create_issue', { title: 'x' });
    yield* ctx.call(any, { title: 'x' });
    // @ts-expect-error: a field is missing
    yield* ctx.call(measure, {});
    // @ts-expect-error: a field is of another type
    yield* ctx.call(measure, { place: 7 });
    // @ts-expect-error: a field is misspelt
    yield* ctx.call(measure, { place: 'Lisbon', unti: 'F' });
    // @ts-expect-error: of a plugin's tool as well
    yield* ctx.call(plugin, { town: 'Lisbon' });
  };
  it('is what the schema of a tool takes', () => {
    expectTypeOf(never).toBeFunction();
  });
});

describe('the types of .meta', () => {
  it('know what a field may say of itself, and leave the keys of other libraries alone', () => {
    z.string().meta({ title: 'Why', multiline: true, placeholder: 'because', page: 'Reasons', pick: 'file' });
    z.enum(['a', 'b']).meta({ enumNames: ['A', 'B'], example: 'a', 'x-other': { any: 1 } });
    z.literal('a').meta({ recommended: true, preview: { kind: 'diff', text: '+a' } });
    z.object({}).meta({ action: 'Commit', decline: false });
    // @ts-expect-error a path of no kind
    z.string().meta({ pick: 'fiel' });
    // @ts-expect-error no yes or no
    z.string().meta({ multiline: 'yes' });
    // @ts-expect-error one name for all
    z.enum(['a', 'b']).meta({ enumNames: 'A, B' });
    // @ts-expect-error a key of the preview that there is not
    z.literal('a').meta({ preview: { kind: 'diff', txet: '+a' } });
    // @ts-expect-error the verb is a text
    z.object({}).meta({ action: true });
    expectTypeOf<z.GlobalMeta['ordered']>().toEqualTypeOf<boolean | undefined>();
  });
});
