import { until, withResolvers } from 'effection';
import { expect, it, vi } from 'vitest';
import * as z from 'zod';
import type { Endpoint } from '#src/cli/setup/agents.ts';
import type { ElicitAnswer } from '#src/core/tool/ask.ts';
import { createMcpTool } from '#src/core/tool/create-mcp-tool.ts';
import type { ElicitAsk } from '#src/runtime/session/ask.ts';
import { ask, envelope } from '#test/mcp/kit/wire.ts';
import { connect, inWindow } from './window-kit.ts';

const who = z.object({ name: z.string().max(9) });
const asks = createMcpTool('asks')
  .description('Asks twice.')
  .parameters(z.object({}))
  .annotations({ readOnlyHint: true })
  .elicits({ first: who, second: who })
  .execute(function* (_, ctx) {
    const first = yield* ctx.elicit.strict('first', { message: 'Who first?' });
    const second = yield* ctx.elicit.strict('second', { message: 'Who then?' });
    return `${first.name}, ${second.name}`;
  });

/** A request of the era that answers with the request itself. */
const leg = ({ url, token }: Endpoint, more: object = {}) =>
  ask(
    new URL(url),
    'tools/call',
    { name: 'asks', arguments: {}, ...more, _meta: envelope({ elicitation: { form: {} } }) },
    { authorization: `Bearer ${token}` },
  );
const named = (name: string) => ({ action: 'accept', content: { name } }) as const;

/** A person who opens the panel of a client's call, and answers when they like. */
function atThePanel() {
  let open = () => {};
  let answer: (response: ElicitAnswer<unknown>) => void = () => {};
  const asked: string[] = [];
  return {
    asked,
    open: () => open(),
    answer: (name: string) => answer(named(name)),
    options: {
      onAdopted(opens: () => void) {
        open = opens;
      },
      *elicit({ request }: ElicitAsk) {
        asked.push(request.message);
        const { operation, resolve } = withResolvers<ElicitAnswer<unknown>>();
        answer = resolve;
        return yield* operation;
      },
    },
  };
}

it('a panel answers a client of 2026-07-28, which then hears what comes next', () => {
  const panel = atThePanel();
  return inWindow(function* ({ server, workspace }) {
    workspace.replace({ tools: [{ tool: asks }] });
    const endpoint = yield* server.forClient('Cursor');
    const { result } = yield* until(leg(endpoint));
    expect(Object.keys(result.inputRequests)).toEqual(['first']);
    panel.open();
    yield* until(vi.waitFor(() => expect(panel.asked).toEqual(['Who first?'])));
    panel.answer('Ada');
    yield* until(vi.waitFor(() => expect(panel.asked).toEqual(['Who first?', 'Who then?'])));
    // What the client answers comes too late for the first question, and in time for the second.
    const late = { requestState: result.requestState, inputResponses: { first: named('Bob') } };
    const { result: next } = yield* until(leg(endpoint, late));
    expect(Object.keys(next.inputRequests)).toEqual(['second']);
    const last = { requestState: next.requestState, inputResponses: { second: named('Cleo') } };
    expect((yield* until(leg(endpoint, last))).result.content).toMatchObject([{ text: 'Ada, Cleo' }]);
  }, panel.options);
});

it('a wrong answer of a client of 2026-07-28 is asked again in the panel, too', () => {
  const panel = atThePanel();
  return inWindow(function* ({ server, workspace }) {
    workspace.replace({ tools: [{ tool: asks }] });
    const endpoint = yield* server.forClient('Cursor');
    const { result } = yield* until(leg(endpoint));
    panel.open();
    yield* until(vi.waitFor(() => expect(panel.asked).toHaveLength(1)));
    const wrong = { requestState: result.requestState, inputResponses: { first: named('much too long') } };
    const { result: again } = yield* until(leg(endpoint, wrong));
    expect(Object.keys(again.inputRequests)).toEqual(['first']);
    yield* until(vi.waitFor(() => expect(panel.asked).toEqual(['Who first?', 'Who first?'])));
    panel.answer('Ada');
    yield* until(vi.waitFor(() => expect(panel.asked).toHaveLength(3)));
    panel.answer('Bob');
    const end = { requestState: again.requestState, inputResponses: {} };
    yield* until(
      vi.waitFor(async () =>
        expect((await leg(endpoint, end)).result.content).toMatchObject([{ text: 'Ada, Bob' }]),
      ),
    );
  }, panel.options);
});

it('a panel answers what a client of 2025-11-25 is asked, and takes it from the client', () => {
  const panel = atThePanel();
  return inWindow(function* ({ server, workspace }) {
    workspace.replace({ tools: [{ tool: asks }] });
    const client = yield* until(connect(yield* server.forClient('Cursor'), 'client'));
    const stopped: unknown[] = [];
    let isAsked = 0;
    const { ElicitRequestSchema } = yield* until(import('@modelcontextprotocol/sdk/types.js'));
    client.setRequestHandler(ElicitRequestSchema, (_, { signal }) => {
      isAsked += 1;
      if (isAsked > 1) return named('client');
      return new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          stopped.push(signal.reason);
          resolve({ action: 'cancel' });
        });
      });
    });
    const called = client.callTool({ name: 'asks', arguments: {} });
    yield* until(vi.waitFor(() => expect(isAsked).toBe(1)));
    panel.open();
    yield* until(vi.waitFor(() => expect(panel.asked).toEqual(['Who first?'])));
    panel.answer('Ada');
    expect((yield* until(called)).content).toMatchObject([{ text: 'Ada, client' }]);
    expect(stopped).toHaveLength(1);
    yield* until(client.close());
  }, panel.options);
});

it('a panel only shows what a client is asked that alone is to be asked', () => {
  const panel = atThePanel();
  return inWindow(
    function* ({ server, workspace }) {
      workspace.replace({ tools: [{ tool: asks }] });
      const client = yield* until(connect(yield* server.forClient('Cursor'), 'client'));
      const called = client.callTool({ name: 'asks', arguments: {} });
      panel.open();
      expect((yield* until(called)).content).toMatchObject([{ text: 'client, client' }]);
      expect(panel.asked).toEqual([]);
      yield* until(client.close());
    },
    { ...panel.options, surfaces: { elicitation: 'client' } },
  );
});
