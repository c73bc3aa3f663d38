import { all, race, withResolvers } from 'effection';
import { createMcpTool } from 'parley-mcp';
import { describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { startServer } from './kit/in-process.ts';
import { testTools } from './kit/tools.ts';
import { ask, envelope, type Message, stateless } from './kit/wire.ts';

async function start(
  options: Partial<Parameters<typeof startServer>[0]> = {},
  handler?: Parameters<typeof startServer>[1],
) {
  const { tools, witness } = testTools();
  const running = await startServer({ tools, ...options }, handler);
  return { url: running.url, witness };
}

const seat = { name: 'ask_seat', arguments: {} };
const row = (number: number) => ({ action: 'accept', content: { row: number } });
const badState = { code: -32602, data: { reason: 'invalid_request_state' } };

describe('a call that asks', () => {
  it('comes back with its question, and goes on with the answer where it stood', async () => {
    const { url, witness } = await start();
    const { result } = await ask(url, 'tools/call', seat);
    expect(result).toMatchObject({
      resultType: 'input_required',
      inputRequests: {
        seat: { method: 'elicitation/create', params: { message: 'Which row on KL1?' } },
      },
      requestState: expect.any(String),
    });
    const done = await ask(url, 'tools/call', {
      ...seat,
      inputResponses: { seat: row(3) },
      requestState: result.requestState,
    });
    expect(done.result).toMatchObject({ resultType: 'complete', content: [{ text: 'row 3 on KL1' }] });
    expect(witness).toEqual({ started: 1, ended: 1 });
  });

  it('asks again under the same key, with what was wrong, and gives up after three answers', async () => {
    const { url } = await start();
    let { result } = await ask(url, 'tools/call', seat);
    const messages: string[] = [];
    for (let round = 0; round < 3; round++) {
      messages.push(result.inputRequests.seat.params.message);
      const { requestState } = result;
      ({ result } = await ask(url, 'tools/call', {
        ...seat,
        requestState,
        inputResponses: { seat: row(99) },
      }));
    }
    expect(messages[0]).toBe('Which row on KL1?');
    expect(messages[2]).toMatch(/^row: [\s\S]*\n\nWhich row on KL1\?$/);
    expect(result).toMatchObject({ isError: true });
  });

  it.each([[undefined], [{}], [{ another: { action: 'accept', content: {} } }], [{ seat: 7 }], [null]])(
    'asks again when the answer is missing or none: %j',
    async (inputResponses) => {
      const { url } = await start();
      const first = await ask(url, 'tools/call', seat);
      const { requestState } = first.result;
      const second = await ask(url, 'tools/call', { ...seat, requestState, inputResponses });
      expect(second.result).toMatchObject({ resultType: 'input_required', inputRequests: { seat: {} } });
      expect(second.result.requestState).not.toBe(requestState);
    },
  );

  it('takes an answer that comes before its question, once', async () => {
    const twice = createMcpTool('twice')
      .description('Asks the same twice')
      .parameters(z.object({}))
      .elicits({ seat: z.object({ row: z.int() }) })
      .execute(function* (_params, ctx) {
        const first = yield* ctx.elicit.strict('seat', { message: 'First?' });
        const second = yield* ctx.elicit.strict('seat', { message: 'Second?' });
        return `${first.row} and ${second.row}`;
      });
    const { url } = await start({ tools: [twice] });
    const early = { name: 'twice', arguments: {}, inputResponses: { seat: row(1), unknown: row(2) } };
    const { result } = await ask(url, 'tools/call', early);
    expect(Object.keys(result.inputRequests)).toEqual(['seat#2']);
    const done = await ask(url, 'tools/call', {
      name: 'twice',
      arguments: {},
      requestState: result.requestState,
      inputResponses: { 'seat#2': row(2) },
    });
    expect(done.result.content[0].text).toBe('1 and 2');
  });

  it('sends out together what it asks at one moment', async () => {
    const together = createMcpTool('together')
      .description('Asks everybody')
      .parameters(z.object({}))
      .elicits({ seat: z.object({ row: z.int() }) })
      .execute(function* (_params, ctx) {
        const [answer, tip, roots] = yield* all([
          ctx.elicit('seat', { message: 'Which row?' }),
          ctx.sample({ prompt: 'A tip?', maxTokens: 5 }),
          ctx.roots(),
        ]);
        return `${answer.action} ${tip.text} ${roots.length}`;
      });
    const { url } = await start({ tools: [together] });
    const { result } = await ask(url, 'tools/call', { name: 'together', arguments: {} });
    expect(Object.keys(result.inputRequests).sort()).toEqual(['roots#1', 'sample#1', 'seat']);
    const text = { role: 'assistant', content: { type: 'text', text: 'hi' }, model: 'm' };
    const done = await ask(url, 'tools/call', {
      name: 'together',
      arguments: {},
      requestState: result.requestState,
      inputResponses: { seat: row(1), 'sample#1': text, 'roots#1': { roots: [{ uri: 'file:///a' }] } },
    });
    expect(done.result.content[0].text).toBe('accept hi 1');
  });

  it('asks only for what this very request says its client can do', async () => {
    const { url } = await start();
    const { result } = await ask(url, 'tools/call', seat);
    const weaker = await ask(url, 'tools/call', {
      ...seat,
      requestState: result.requestState,
      _meta: envelope({ sampling: {} }),
    });
    expect(weaker.error).toMatchObject({ code: -32021, data: { requiredCapabilities: { elicitation: {} } } });
  });
});

describe('a request state', () => {
  it('opens one leg, once; the same answers again get the same response, others none', async () => {
    const { url, witness } = await start();
    const { result } = await ask(url, 'tools/call', seat);
    const next = { ...seat, requestState: result.requestState, inputResponses: { seat: row(3) } };
    const both = await Promise.all([ask(url, 'tools/call', next), ask(url, 'tools/call', next)]);
    const later = await ask(url, 'tools/call', next);
    for (const same of [...both, later]) expect(same.result.content[0].text).toBe('row 3 on KL1');
    const other = await ask(url, 'tools/call', { ...next, inputResponses: { seat: row(4) } });
    expect(other.error).toMatchObject({ code: -32602, data: { reason: 'answered_already' } });
    expect(witness).toEqual({ started: 1, ended: 1 });
  });

  it('is of no use for other arguments, another tool, or another method', async () => {
    const { url } = await start();
    const { result } = await ask(url, 'tools/call', seat);
    const { requestState } = result;
    for (const other of [
      { name: 'ask_seat', arguments: { flight: 'KL2' } },
      { name: 'echo', arguments: {} },
    ]) {
      expect((await ask(url, 'tools/call', { ...other, requestState })).error).toMatchObject(badState);
    }
    const good = await ask(url, 'tools/call', { ...seat, requestState, inputResponses: { seat: row(1) } });
    expect(good.result.content[0].text).toBe('row 1 on KL1');
  });

  it('is of no use to another principal', async () => {
    const tokens = ['ada', 'bob'].map((name) => ({ token: `token-of-${name}`, principal: { name } }));
    const { url } = await start({}, { tokens });
    const as = (name: string) => ({ authorization: `Bearer token-of-${name}` });
    const { result } = await ask(url, 'tools/call', seat, as('ada'));
    const next = { ...seat, requestState: result.requestState, inputResponses: { seat: row(1) } };
    expect((await ask(url, 'tools/call', next, as('bob'))).error).toMatchObject(badState);
    expect((await ask(url, 'tools/call', next, as('ada'))).result.content[0].text).toBe('row 1 on KL1');
  });

  it('expires, and its call ends', async () => {
    const { url, witness } = await start({ limits: { waitingTtl: 50 } });
    const { result } = await ask(url, 'tools/call', seat);
    await vi.waitFor(() => expect(witness.ended).toBe(1));
    const late = { ...seat, requestState: result.requestState, inputResponses: { seat: row(1) } };
    expect((await ask(url, 'tools/call', late)).error).toMatchObject(badState);
  });

  it('is refused when it was tampered with, and the call is still there', async () => {
    const { url } = await start();
    const { result } = await ask(url, 'tools/call', seat);
    const { requestState } = result;
    for (const forged of [`${requestState}x`, requestState.slice(1), 'p1.e30.AAAA', 7, {}]) {
      expect((await ask(url, 'tools/call', { ...seat, requestState: forged })).error).toMatchObject({
        code: -32602,
      });
    }
    const good = await ask(url, 'tools/call', { ...seat, requestState, inputResponses: { seat: row(1) } });
    expect(good.result.content[0].text).toBe('row 1 on KL1');
  });
});

it('knows no method that it does not offer: with a 404', async () => {
  const { url } = await start();
  for (const method of ['prompts/list', 'nobody/knows', '__proto__']) {
    const reply = await stateless(url, method);
    expect(reply.status).toBe(404);
    expect((await reply.rest()).at(-1)?.error).toMatchObject({ code: -32601 });
  }
});

describe('waiting calls', () => {
  it('give way to newer ones of the same principal, the oldest first, and say so when they come back', async () => {
    const tokens = ['ada', 'bob'].map((name) => ({ token: `token-of-${name}`, principal: { name } }));
    const { url } = await start({ limits: { share: { maxWaiting: 2 } } }, { tokens });
    const as = async (name: string, params: object = seat) =>
      (await stateless(url, 'tools/call', { ...params }, { authorization: `Bearer token-of-${name}` }))
        .rest()
        .then((messages) => messages.at(-1)?.result);
    const bob = await as('bob');
    const first = await as('ada');
    const others = [await as('ada'), await as('ada')];
    const back = (result: Message['result'], n: number) => ({
      ...seat,
      requestState: result.requestState,
      inputResponses: { seat: row(n) },
    });
    expect(await as('ada', back(first, 1))).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('made room for newer calls') }],
    });
    expect(await as('ada', { name: 'echo', arguments: { text: 'hi' } })).toMatchObject({
      content: [{ text: 'hi' }],
    });
    for (const [n, result] of others.entries()) {
      expect(await as('ada', back(result, n + 1))).toMatchObject({
        content: [{ text: `row ${n + 1} on KL1` }],
      });
    }
    expect(await as('bob', back(bob, 7))).toMatchObject({ content: [{ text: 'row 7 on KL1' }] });
  });

  it('keep no more than 64 KB of answers that come early', async () => {
    const early = createMcpTool('early')
      .description('Is answered before it asks')
      .parameters(z.object({}))
      .elicits({ first: z.object({ text: z.string() }), second: z.object({ text: z.string() }) })
      .execute(function* (_params, ctx) {
        const first = yield* ctx.elicit.strict('first', { message: '?' });
        const second = yield* ctx.elicit.strict('second', { message: '?' });
        return `${first.text.length} ${second.text.length}`;
      });
    const { url } = await start({ tools: [early] });
    const params = { name: 'early', arguments: {} };
    const text = (length: number) => ({ action: 'accept', content: { text: 'x'.repeat(length) } });
    const little = await ask(url, 'tools/call', {
      ...params,
      inputResponses: { first: text(10), second: text(20_000) },
    });
    expect(little.result.content[0].text).toBe('10 20000');
    const much = await ask(url, 'tools/call', {
      ...params,
      inputResponses: { first: text(10), second: text(100_000) },
    });
    expect(Object.keys(much.result.inputRequests)).toEqual(['second']);
  });

  it('give what came of them meanwhile to the next request', async () => {
    const { operation: gone, resolve: go } = withResolvers<string>();
    let ended = false;
    const racing = createMcpTool('racing')
      .description('Does not wait for its user when the seat is gone')
      .parameters(z.object({}))
      .elicits({ seat: z.object({ row: z.int() }) })
      .execute(function* (_params, ctx) {
        try {
          return yield* race([gone, asked()]);
        } finally {
          ended = true;
        }

        function* asked() {
          yield* ctx.elicit('seat', { message: 'Quick!' });
          return 'in time';
        }
      });
    const { url } = await start({ tools: [racing] });
    const params = { name: 'racing', arguments: {} };
    const { result } = await ask(url, 'tools/call', params);
    go('too late');
    await vi.waitFor(() => expect(ended).toBe(true));
    const { requestState } = result;
    const late = await ask(url, 'tools/call', { ...params, requestState, inputResponses: { seat: row(1) } });
    expect(late.result.content[0].text).toBe('too late');
  });
});

describe('what a request wants', () => {
  const talking = createMcpTool('talking')
    .description('Talks, asks, talks')
    .parameters(z.object({}))
    .elicits({ seat: z.object({ row: z.int() }) })
    .execute(function* (_params, ctx) {
      yield* ctx.log('info', 'before');
      yield* ctx.notify('before', 0.1);
      yield* ctx.elicit('seat', { message: 'Which row?' });
      yield* ctx.log('info', 'after');
      yield* ctx.notify('after', 0.9);
      return 'done';
    });
  const params = { name: 'talking', arguments: {} };
  const notes = (messages: Message[]) =>
    messages.filter(({ method }) => method?.startsWith('notifications/'));

  it('is read anew from each: progress token and log level', async () => {
    const { url } = await start({ tools: [talking] });
    const loud = { 'io.modelcontextprotocol/logLevel': 'debug', progressToken: 'one' };
    const first = await (
      await stateless(url, 'tools/call', { ...params, _meta: envelope(undefined, loud) })
    ).rest();
    expect(notes(first).map(({ params: { data, progressToken } }) => data ?? progressToken)).toEqual([
      'before',
      'one',
    ]);
    const { requestState } = first.at(-1)?.result ?? {};
    const quiet = { progressToken: 0 };
    const second = await stateless(url, 'tools/call', {
      ...params,
      requestState,
      inputResponses: { seat: row(1) },
      _meta: envelope(undefined, quiet),
    });
    const messages = await second.rest();
    expect(notes(messages)).toMatchObject([
      { method: 'notifications/progress', params: { progressToken: 0 } },
    ]);
    expect(messages.at(-1)?.result.content[0].text).toBe('done');
  });

  it('is cancelled by closing the stream', async () => {
    const { url, witness } = await start();
    const reply = await stateless(url, 'tools/call', {
      name: 'idle',
      arguments: {},
      _meta: envelope({}, { progressToken: 1 }),
    });
    await reply.until(({ method }) => method === 'notifications/progress');
    reply.drop();
    await vi.waitFor(() => expect(witness).toEqual({ started: 1, ended: 1 }));
  });
});
