import { ensure, type Operation, sleep, spawn, suspend } from 'effection';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { ViewError } from '#src/core/errors/call-errors.ts';
import { makePlugin } from '#src/core/plugin/make-plugin.ts';
import type { View } from '#src/core/plugin/view.ts';
import { createMcpTool } from '#src/core/tool/create-mcp-tool.ts';
import { runHandler, type ViewPort } from '#src/runtime/context/run-handler.ts';
import type { Session } from '#src/runtime/session/session.ts';
import { accept, eventOf, type Kit, rejects, tool, withManager } from './session-kit.ts';

interface ListProps {
  flights: readonly string[];
  onRespond(id: string): void;
}
const FlightList: View<ListProps> = () => null;
const reference = { kind: 'parley.view', key: 'flights@1', name: 'Flights' } as unknown as View<ListProps>;

const book = createMcpTool('book')
  .description('d')
  .parameters(z.object({ from: z.string() }))
  .elicits({
    pick: {
      response: z.object({ id: z.string().default('none') }),
      context: z.object({ flights: z.array(z.string()) }),
    },
    plain: z.object({ ok: z.boolean() }),
  })
  .handoff({
    *before() {
      return { secret: 42 };
    },
    *client(_, ctx) {
      return yield* ctx.elicit('pick', { message: 'Which?', flights: ['KL1', 'KL2'] });
    },
    *after(_, answer) {
      return answer.action;
    },
  });
type Handlers = Parameters<ReturnType<typeof makePlugin<typeof book>>['onElicit']>[0];
type PickHandler = Exclude<Handlers['pick'], string>;

function* asked({ manager }: Kit, pick: PickHandler): Operation<Session> {
  const plugin = makePlugin(book).onElicit({ pick, plain: 'form' }).build();
  return yield* manager.create({ tool: plugin, params: { from: 'AMS' } });
}

const port = (verbs: Partial<ViewPort> = {}): ViewPort => ({
  render: () => suspend() as Operation<never>,
  *show() {},
  *reportProgress() {},
  ...verbs,
});

function* handled(session: Session, views: ViewPort) {
  const { ask } = yield* eventOf(session, 'elicit_request');
  return yield* runHandler(session, ask as never, views);
}

describe('a handler', () => {
  it(
    'gets the typed request, and its context shows views',
    withManager(function* (kit) {
      const seen: unknown[] = [];
      const session = yield* asked(kit, function* (request, ctx) {
        seen.push({ ...request, schema: Object.keys(request.schema) }, ctx.callId, ctx.signal.aborted);
        expect(ctx.elicitRequest).toBe(request);
        yield* ctx.reportProgress('drawing', 0.5);
        yield* ctx.show(FlightList, { flights: [] });
        const id = yield* ctx.render(reference, { flights: request.flights });
        return { action: 'accept', content: { id } };
      });
      const answer = yield* handled(
        session,
        port({
          *render(view, props) {
            seen.push(view, props);
            return 'KL2';
          },
          *show(view) {
            seen.push(view.name);
          },
          *reportProgress(message, progress) {
            seen.push([message, progress]);
          },
        }),
      );
      expect(answer).toEqual(accept({ id: 'KL2' }));
      expect(seen).toEqual([
        {
          id: { toolName: 'book', key: 'pick', callId: session.id, seq: 1 },
          askId: 'elicit-1',
          key: 'pick',
          toolName: 'book',
          callId: session.id,
          seq: 1,
          message: 'Which?',
          schema: ['zod', 'json'],
          values: { id: 'none' },
          params: { from: 'AMS' },
          handoff: { secret: 42 },
          attempt: 1,
          flights: ['KL1', 'KL2'],
        },
        session.id,
        false,
        ['drawing', 0.5],
        'FlightList',
        reference,
        { flights: ['KL1', 'KL2'] },
      ]);
    }),
  );

  it(
    'has a signal that is aborted when it is over, also for what first looks at it then',
    withManager(function* (kit) {
      const signals: (() => AbortSignal)[] = [];
      const session = yield* asked(kit, function* (_, ctx) {
        signals.push(() => ctx.signal);
        return { action: 'decline' };
      });
      yield* handled(session, port());
      expect(signals.map((signal) => signal().aborted)).toEqual([true]);
    }),
  );

  it(
    'is told what was wrong when it is asked again',
    withManager(function* (kit) {
      const session = yield* asked(kit, function* ({ attempt, problem }) {
        return { action: 'accept', content: { id: `${attempt} ${problem}` } };
      });
      session.respondToElicit('elicit-1', accept({ id: 4 }));
      const { ask } = yield* eventOf(session, 'elicit_request', 1);
      expect(yield* runHandler(session, ask, port())).toEqual(
        accept({ id: expect.stringMatching(/^2 id: must be text/) }),
      );
    }),
  );

  it(
    'fails with a message that says what to do, for what is no answer, no view or no props',
    withManager(function* (kit) {
      const cases: [PickHandler, RegExp][] = [
        [() => noAnswer(undefined), /returned no answer: return \{ action: 'accept'/],
        [() => noAnswer('KL1'), /returned no answer/],
        [() => noAnswer({ action: 'accept' }), /returned no answer/],
        [() => noAnswer({ action: 'later' }), /returned no answer/],
        [() => noAnswer({ action: 'later', content: { id: 'KL1' } }), /returned no answer/],
        [(_, ctx) => ctx.render('FlightList' as never, {}) as never, /is no view: import a component/],
        [
          (_, ctx) => ctx.render(FlightList, { flights: [() => 'KL1'] as never }) as never,
          /cannot go to a page: flights\[0\] is a function/,
        ],
        [
          function* () {
            yield* sleep(0);
            throw new RangeError('no flights');
          },
          /handler of 'pick' failed: no flights/,
        ],
        [
          function* () {
            yield* ensure(() => {
              throw new Error('cannot close');
            });
            return { action: 'accept', content: { id: 'KL1' } };
          },
          /handler of 'pick' failed: cannot close/,
        ],
        [() => ({ action: 'cancel' }) as never, /the handler is not a generator function/],
      ];
      for (const [handler, message] of cases) {
        const session = yield* asked(kit, handler);
        let thrown: unknown;
        try {
          yield* handled(session, port());
        } catch (error) {
          thrown = error;
        }
        expect(thrown).toMatchObject({ code: 'HANDLER', message: expect.stringMatching(message) });
        expect(session.status()).toBe('awaiting_elicit');
        yield* session.abort();
      }
    }),
  );

  it(
    'that forgets a yield* gives no answer, and is told so in the log of the call, with the line',
    withManager(function* (kit) {
      const shown: string[] = [];
      const session = yield* asked(kit, function* (_request, ctx) {
        yield* ctx.show(FlightList, { flights: [] });
        ctx.show(FlightList, { flights: ['KL1'] });
        ctx.reportProgress('drawing');
        const id = ctx.render(reference, { flights: [] });
        return { action: 'accept', content: { id } } as never;
      });
      const views = port({
        *show(_view, { flights }) {
          shown.push(String(flights));
        },
      });
      yield* rejects(() => handled(session, views), 'HANDLER');
      const said = session.events().flatMap((event) => (event.type === 'log' ? [event] : []));
      expect(shown).toEqual(['']);
      expect(said.map(({ level }) => level)).toEqual(['warning', 'warning', 'warning']);
      const forgot = (call: string, verb: string) =>
        expect.stringMatching(
          new RegExp(
            `^the handler of 'pick': ctx${call} did nothing: write .yield\\* ctx\\.${verb}\\(…\\).? \\(run-handler\\.test\\.ts:\\d+\\)$`,
          ),
        );
      expect(said.map(({ message }) => message)).toEqual([
        forgot(String.raw`\.show\("FlightList", …\)`, 'show'),
        forgot(String.raw`\.reportProgress\("drawing", …\)`, 'reportProgress'),
        forgot(String.raw`\.render\("Flights", …\)`, 'render'),
      ]);
      yield* session.abort();
    }),
  );

  it(
    'that fails for want of what never ran is told of that, too',
    withManager(function* (kit) {
      const session = yield* asked(kit, function* (_request, ctx) {
        const seat = ctx.render(reference, { flights: [] }) as unknown as { row: { number: number } };
        return { action: 'accept', content: { id: String(seat.row.number) } } as never;
      });
      yield* rejects(() => handled(session, port()), 'HANDLER');
      expect(session.events()).toContainEqual(
        expect.objectContaining({
          type: 'log',
          message: expect.stringContaining('write `yield* ctx.render(…)`'),
        }),
      );
      yield* session.abort();
    }),
  );

  it(
    'that yields what it should have run fails with what to write',
    withManager(function* (kit) {
      const session = yield* asked(kit, function* (_request, ctx) {
        yield ctx.reportProgress('drawing') as never;
        return { action: 'cancel' };
      });
      let thrown: unknown;
      try {
        yield* handled(session, port());
      } catch (error) {
        thrown = error;
      }
      expect(thrown).toMatchObject({
        code: 'HANDLER',
        message: expect.stringContaining(
          'the handler yields what is no step of an operation: write `yield* ctx.reportProgress(…)`',
        ),
      });
      yield* session.abort();
    }),
  );

  it(
    'passes on what its view failed with',
    withManager(function* (kit) {
      const session = yield* asked(kit, (_, ctx) => ctx.render(FlightList, { flights: [] }) as never);
      const crashing = port({
        *render() {
          yield* sleep(0);
          throw new ViewError('the view crashed');
        },
      });
      yield* rejects(() => handled(session, crashing), 'VIEW');
    }),
  );

  it(
    'is there only for a declared question of a plugin that has one',
    withManager(function* (kit) {
      const inline = tool((ctx) => ctx.elicit({ message: '?', schema: z.object({ a: z.string() }) }));
      const session = yield* kit.manager.create({ tool: inline, params: {} });
      yield* rejects(() => handled(session, port()), 'HANDLER');
    }),
  );

  it(
    'is halted with what runs it: its signal aborts, its views go',
    withManager(function* (kit) {
      const log: string[] = [];
      let signal: AbortSignal | undefined;
      const session = yield* asked(kit, function* (_, ctx) {
        signal = ctx.signal;
        try {
          const id = yield* ctx.render(FlightList, { flights: [] });
          return { action: 'accept', content: { id } };
        } finally {
          log.push('handler down');
        }
      });
      const running = yield* spawn(() =>
        handled(
          session,
          port({
            *render() {
              try {
                yield* suspend();
              } finally {
                log.push('view gone');
              }
            },
          }),
        ),
      );
      yield* sleep(0);
      expect(signal?.aborted).toBe(false);
      yield* running.halt();
      expect(log).toEqual(['view gone', 'handler down']);
      expect(signal?.aborted).toBe(true);
    }),
  );
});

function* noAnswer(answer: unknown): Operation<never> {
  return answer as never;
}
