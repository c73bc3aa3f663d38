import { ensure, type Operation, run, scoped, sleep, spawn, suspend } from 'effection';
import { describe, expect, it } from 'vitest';
import { type DiagnosticsAbility, DiagnosticsContext, EditsContext, GitContext } from '#src/core/editor.ts';
import { ViewError } from '#src/core/errors/call-errors.ts';
import { type Offer, toolOf } from '#src/core/plugin/offer.ts';
import { chainTool } from '#src/mcp/catalog/progressive/chain.ts';
import { runHandler, type ViewPort } from '#src/runtime/context/run-handler.ts';
import { drive } from '#src/runtime/drive/drive.ts';
import { createSessionManager } from '#src/runtime/manager/session-manager.ts';
import type { ElicitAsk } from '#src/runtime/session/ask.ts';
import type { Session } from '#src/runtime/session/session.ts';
import { createMockMcpClient, type MockMcpClientOptions } from '#src/testing/index.ts';
import { endOf } from '../runtime/session-kit.ts';
import { type Place, source, useRemoteKit } from './remote-kit.ts';

const places = ['host', 'linked', 'worker'] as const;

/** A plugin whose questions have handlers, of which a test writes the one for `seat`. */
const plugin = (seat: string, sampling = '') => `
const view = (name) => ({ kind: 'parley.view', key: 'root/' + name, name });
export default makePlugin(tool).onElicit({
  *seat(request, ctx) { ${seat} },
  meal: 'form',
  day: 'form',
})${sampling}.build();`;

const ask = `return (yield* ctx.elicit('seat', { message: 'Which row?' })).content;`;

function withCall(
  place: Place,
  code: string,
  body: (session: Session, question: () => Operation<ElicitAsk>) => Operation<void>,
  served: (offer: Offer) => Offer = (offer) => offer,
): Promise<void> {
  return run(() =>
    scoped(function* () {
      const kit = yield* useRemoteKit(place);
      const tool = served(yield* kit.tool(code));
      // Calls end before the realm of their tool does.
      yield* scoped(function* () {
        const manager = yield* createSessionManager();
        const session = yield* manager.create({ tool, params: { from: 'AMS' } });
        let at = 0;
        yield* body(session, function* () {
          for (;;) {
            const event = yield* session.nextEvent(at);
            if (event.at <= at) throw new Error(`the call ended: ${JSON.stringify(event)}`);
            at = event.at;
            if (event.type === 'elicit_request') return event.ask;
          }
        });
      });
    }),
  );
}

describe.each(places)('a handler of a tool in the %s', { timeout: 60_000 }, (place) => {
  it('gets the request, draws views, and answers', () => {
    const seat = `
      yield* ctx.show(view('Shown'), { from: request.params.from });
      yield* ctx.reportProgress('looking', { value: 1, total: 2 });
      const row = yield* ctx.render(view('Picker'), { key: request.key, attempt: request.attempt, problem: request.problem });
      return { action: 'accept', content: { row } };`;
    return withCall(place, source(ask, { after: plugin(seat) }), function* (session, question) {
      const drawn: unknown[] = [];
      const rows = [99, 4];
      const port: ViewPort = {
        *render({ key }, props) {
          drawn.push([key, props]);
          return rows.shift();
        },
        *show({ key }, props) {
          drawn.push([key, props]);
        },
        *reportProgress(message, progress) {
          drawn.push([message, progress]);
        },
      };
      expect(session.plugin?.client.handlers).toHaveProperty('seat');
      expect(session.plugin?.client.handlers).not.toHaveProperty('meal');
      for (let first = yield* question(); ; first = yield* question()) {
        session.respondToElicit(first.id, yield* runHandler(session, first, port));
        if (rows.length === 0) break;
      }
      expect(yield* endOf(session)).toMatchObject({ value: { row: 4 } });
      const problem = expect.stringContaining('30');
      expect(drawn).toEqual([
        ['root/Shown', { from: 'AMS' }],
        ['looking', { value: 1, total: 2 }],
        ['root/Picker', { key: 'seat', attempt: 1 }],
        ['root/Shown', { from: 'AMS' }],
        ['looking', { value: 1, total: 2 }],
        ['root/Picker', { key: 'seat', attempt: 2, problem }],
      ]);
    });
  });

  it('is found for each step of a chain, and reads its own question there', () => {
    const seat = `
      const { key, toolName, id, params } = request;
      const own = ctx.elicitRequest.key;
      const row = yield* ctx.render(view('Picker'), { key, toolName, id: [id.toolName, id.key], params, own });
      return { action: 'accept', content: { row } };`;
    const inChain = (offer: Offer) =>
      chainTool(
        toolOf(offer),
        [
          { name: 'ask', arguments: { from: 'AMS' } },
          { name: 'ask', arguments: { from: 'LIS' }, pass: 'before' },
        ],
        {
          known: [offer],
          *find() {
            return { served: offer };
          },
        },
      );
    return withCall(
      place,
      source(ask, { after: plugin(seat) }),
      function* (session, question) {
        const drawn: unknown[] = [];
        const port: ViewPort = {
          *render(_view, props) {
            drawn.push(props);
            return drawn.length;
          },
          *show() {},
          *reportProgress() {},
        };
        for (let step = 1; step <= 2; step++) {
          const asked = yield* question();
          expect(asked.ref).toMatchObject({ key: 'seat', toolName: 'probe', seq: step });
          session.respondToElicit(asked.id, yield* runHandler(session, asked, port));
        }
        expect(yield* endOf(session)).toMatchObject({
          value: { steps: [{ result: { row: 1 } }, { result: { row: 2 } }] },
        });
        const own = { key: 'seat', toolName: 'probe', id: ['probe', 'seat'], own: 'seat' };
        expect(drawn).toEqual([
          { ...own, params: { from: 'AMS' } },
          { ...own, params: { from: 'LIS', before: { row: 1 } } },
        ]);
      },
      inChain,
    );
  });

  it.each([
    [`throw new RangeError('no rows');`, { code: 'HANDLER', message: expect.stringContaining('no rows') }],
    [`return { row: 3 };`, { code: 'HANDLER', message: expect.stringContaining('returned no answer') }],
    [`yield* ctx.render(view('Gone'), {});`, { code: 'VIEW', message: 'crashed' }],
  ])('fails as it would anywhere: %s', (seat, error) =>
    withCall(place, source(ask, { after: plugin(seat) }), function* (session, question) {
      const port: ViewPort = {
        *render() {
          throw new ViewError('crashed');
        },
        *show() {},
        *reportProgress() {},
      };
      let thrown: unknown;
      try {
        yield* runHandler(session, yield* question(), port);
      } catch (caught) {
        thrown = caught;
      }
      expect(thrown).toMatchObject(error);
    }),
  );

  it('is halted with its view when the question is answered elsewhere', () =>
    withCall(
      place,
      source(ask, { after: plugin(`yield* ctx.render(view('Picker'), {}); return { action: 'cancel' };`) }),
      function* (session, question) {
        let shown = 0;
        const port: ViewPort = {
          *render() {
            shown += 1;
            try {
              yield* suspend();
            } finally {
              shown -= 1;
            }
          },
          *show() {},
          *reportProgress() {},
        };
        const asked = yield* question();
        const handling = yield* spawn(() => runHandler(session, asked, port));
        while (shown === 0) yield* sleep(5);
        session.respondToElicit(asked.id, { action: 'accept', content: { row: 9 } });
        yield* handling.halt();
        expect(shown).toBe(0);
        expect(yield* endOf(session)).toMatchObject({ value: { row: 9 } });
      },
    ));
});

describe.each(places)('a tool in the %s', { timeout: 60_000 }, (place) => {
  const answer = (code: string, client: MockMcpClientOptions, setUp: () => Operation<void>) =>
    run(() =>
      scoped(function* () {
        yield* setUp();
        const kit = yield* useRemoteKit(place);
        const manager = yield* createSessionManager();
        const tool = yield* kit.tool(code);
        const session = yield* manager.create({ tool, params: {} });
        return yield* drive(session, createMockMcpClient(client), 'end');
      }),
    );

  it('borrows what the editor lends', async () => {
    const staged: string[] = [];
    const code = source(
      `const { useGit, useDiagnostics } = require('parley-mcp/editor');
       const [repository] = yield* (yield* useGit()).repositories();
       yield* repository.stage(['a.ts']);
       const problems = yield* (yield* useDiagnostics()).list();
       let refused;
       try { yield* repository.commit(''); } catch (error) { refused = error.message; }
       return [repository.root, yield* repository.branch(), problems.length, refused];`,
    );
    const end = await answer(code, {}, function* () {
      yield* DiagnosticsContext.set({
        list: function* () {
          return [];
        },
      } satisfies DiagnosticsAbility);
      yield* GitContext.set({
        *repositories() {
          return [
            {
              root: 'file:///r',
              *branch() {
                return 'main';
              },
              *head() {
                return 'hash';
              },
              *changes() {
                return [];
              },
              *diff() {
                return '';
              },
              *stage(paths: readonly string[]) {
                staged.push(...paths);
              },
              *unstage() {},
              *commit(): Operation<never> {
                throw new Error('an empty message');
              },
            },
          ];
        },
      });
    });
    expect(end).toMatchObject({ value: ['file:///r', 'main', 0, 'an empty message'] });
    expect(staged).toEqual(['a.ts']);
  });

  it('keeps what it borrowed for as long as the scope that asked', async () => {
    const shown: string[] = [];
    const code = source(
      `const { useEdits } = require('parley-mcp/editor');
       const { scoped } = require('effection');
       const edits = yield* useEdits();
       yield* scoped(function* () {
         yield* edits.preview('Change', []);
         yield* ctx.log('info', yield* edits.read('open?'));
       });
       return yield* edits.read('open?');`,
    );
    const end = await answer(code, {}, function* () {
      yield* EditsContext.set({
        *folders() {
          return [];
        },
        *read() {
          return shown.join();
        },
        *preview(title: string) {
          shown.push(title);
          yield* ensure(() => void shown.pop());
        },
        *apply() {
          return true;
        },
      });
    });
    expect(end).toMatchObject({ value: '' });
  });

  it('says what it has seen of the files that it changes', async () => {
    const seen: unknown[] = [];
    const code = source(
      `const edits = yield* require('parley-mcp/editor').useEdits();
       const first = yield* edits.apply('Change', [], new Map([['file:///a', 'old']]));
       return [first, yield* edits.apply('Change', [])];`,
    );
    const end = await answer(code, {}, function* () {
      yield* EditsContext.set({
        *folders() {
          return [];
        },
        *read() {
          return '';
        },
        *preview() {},
        *apply(_label, _edits, texts) {
          seen.push(texts);
          return texts?.get('file:///a') !== 'old';
        },
      });
    });
    expect(end).toMatchObject({ value: [false, true] });
    expect(seen).toEqual([new Map([['file:///a', 'old']]), undefined]);
  });

  it('is told where no editor lends anything', async () => {
    const end = await answer(source(`yield* require('parley-mcp/editor').useGit();`), {}, function* () {});
    expect(end).toMatchObject({ type: 'error', error: { code: 'CAPABILITY' } });
  });

  it('has the steps of its plugin around each sampling', async () => {
    const sampling = `.sampling({
      *before(messages) { return [...messages, { role: 'user', content: { type: 'text', text: 'politely' } }]; },
      *after(result) { return { ...result, content: { type: 'text', text: result.content.text.toUpperCase() } }; },
    })`;
    const seat = `return { action: 'cancel' };`;
    const code = source(`return (yield* ctx.sample({ prompt: 'Say' })).text;`, {
      after: plugin(seat, sampling),
    });
    const said: unknown[] = [];
    const sampleResponses = (request: { messages: readonly unknown[] }) => {
      said.push(request.messages.length);
      return 'hello';
    };
    expect(await answer(code, { sampleResponses }, function* () {})).toMatchObject({ value: 'HELLO' });
    expect(said).toEqual([2]);
  });

  it('with phases keeps what one hands to the next', async () => {
    const code = `
      import { createMcpTool } from 'parley-mcp';
      import * as z from 'zod';
      export const tool = createMcpTool('phased').description('x').parameters(z.object({ day: z.string().default('1970-01-01').transform((text) => new Date(text)) }))
        .output(z.object({ day: z.string(), map: z.number() })).elicits({})
        .handoff({
          *before(params) { return new Map([['day', params.day]]); },
          *client(handoff) { return handoff.get('day').toISOString(); },
          *after(handoff, day) { return { day, map: handoff.size }; },
        });`;
    expect(await answer(code, {}, function* () {})).toMatchObject({
      type: 'result',
      value: { day: '1970-01-01T00:00:00.000Z', map: 1 },
    });
  });

  it.each([
    [
      'before',
      'elicit',
      `*before(_, ctx) { yield* ctx.elicit('seat', { message: '?' }); }, *client() {}, *after() {},`,
    ],
    ['before', 'sample', `*before(_, { sample }) {}, *client() {}, *after() {},`],
    [
      'after',
      'branch',
      `*before() {}, *client() {}, *after(h, r, ctx) { yield* ctx.branch(function* () {}); },`,
    ],
  ])('with phases is told to ask in client where %s uses %s', async (phase, verb, phases) => {
    const code = `
      import { createMcpTool } from 'parley-mcp';
      import * as z from 'zod';
      export const tool = createMcpTool('phased').description('x').parameters(z.object({}))
        .elicits({ seat: z.object({ row: z.int() }) }).handoff({ ${phases} });`;
    expect(await answer(code, {}, function* () {})).toMatchObject({
      type: 'error',
      error: { code: 'TOOL_CODE', message: expect.stringContaining(`'${phase}' uses ctx.${verb}`) },
    });
  });

  it('refuses parameters that do not fit before any of its code', async () => {
    const code = `
      import { createMcpTool } from 'parley-mcp';
      import * as z from 'zod';
      export const tool = createMcpTool('strict').description('x').parameters(z.object({ seats: z.array(z.int()) }))
        .elicits({}).execute(function* () { return 'ran'; });`;
    await expect(answer(code, {}, function* () {})).rejects.toMatchObject({
      code: 'PARAMS_INVALID',
      message: expect.stringContaining('seats'),
    });
  });
});
