import type { Operation } from 'effection';
import { describe, expect, it } from 'vitest';
import type { PageOptions } from '#src/core/page/elicit-page.ts';
import { drive } from '#src/runtime/drive/drive.ts';
import { canAnswer } from '#src/runtime/session/capabilities.ts';
import type { Client } from '#src/runtime/session/client.ts';
import { eventLoopTurn } from '#src/runtime/time/event-loop.ts';
import { durable, journalOf, resumed, shortly } from './journal/journal-kit.ts';
import { accept, type Ctx, clientOf, endOf, row, tool, typesOf, withManager } from './session-kit.ts';

const login = { mode: 'url', message: 'Log in.', url: 'https://example.com/login?state=1' } as const;

const sending = (options: PageOptions = login) =>
  tool(function* (ctx: Ctx) {
    const page = yield* ctx.elicit(options);
    if (page.action === 'accept') yield* page.completed();
    return page.action === 'accept' ? page.elicitationId : page.action;
  });

/** A client that can open pages, and only that. */
const pages = (action: 'accept' | 'decline' | 'cancel', told: string[] = []): Client => ({
  name: 'pages',
  capabilities: () => ({ elicitation: { url: true } }),
  can: (ask) => canAnswer({ elicitation: { url: true } }, ask),
  *elicit() {
    return action === 'accept' ? { action, content: {} } : { action };
  },
  *completed({ elicitationId }) {
    told.push(elicitationId);
  },
});

describe('sending somebody to a page', () => {
  it(
    'asks with the address, and knows no more than that they agreed',
    withManager(function* ({ manager }) {
      const session = yield* manager.create({ tool: sending(), params: {}, callId: 'c1' });
      expect(session.openAsks()).toMatchObject([
        { id: 'elicit-1', kind: 'elicit', declared: false, wireKey: 'elicit#1', request: login },
      ]);
      const told: string[] = [];
      const end = yield* drive(session, pages('accept', told), 'end');
      expect(end).toMatchObject({ type: 'result', value: 'c1-elicit-1' });
      expect(told).toEqual(['c1-elicit-1']);
    }),
  );

  it(
    'goes by the name that the author gave it',
    withManager(function* ({ manager }) {
      const given = sending({ ...login, elicitationId: 'login-7' });
      const session = yield* manager.create({ tool: given, params: {} });
      expect(yield* drive(session, pages('accept'), 'end')).toMatchObject({ value: 'login-7' });
    }),
  );

  it.each(['decline', 'cancel'] as const)('can be answered with %s', (action) =>
    withManager(function* ({ manager }) {
      const session = yield* manager.create({ tool: sending(), params: {} });
      expect(yield* drive(session, pages(action), 'end')).toMatchObject({ value: action });
    })(),
  );

  it(
    'is withdrawn when the call is halted',
    withManager(function* ({ manager }) {
      const session = yield* manager.create({ tool: sending(), params: {} });
      yield* session.abort('enough');
      expect(typesOf(session)).toEqual([
        'elicit_request elicit-1#1',
        'ask_closed elicit-1 withdrawn',
        'aborted',
      ]);
    }),
  );

  it(
    'with strict throws what is not agreed to, with withRetry asks again',
    withManager(function* ({ manager }) {
      const strict = tool(function* (ctx: Ctx) {
        return (yield* ctx.elicit.strict(login)).elicitationId;
      });
      const agreed = yield* manager.create({ tool: strict, params: {}, callId: 'c1' });
      expect(yield* drive(agreed, pages('accept'), 'end')).toMatchObject({ value: 'c1-elicit-1' });
      const declined = yield* manager.create({ tool: strict, params: {} });
      expect(yield* drive(declined, pages('decline'), 'end')).toMatchObject({
        error: { code: 'ELICITATION_DECLINED' },
      });
      const again = tool(function* (ctx: Ctx) {
        return (yield* ctx.elicit.withRetry({ ...login, maxAttempts: 2, onDecline: 'retry' })).action;
      });
      const session = yield* manager.create({ tool: again, params: {} });
      expect(yield* drive(session, pages('decline'), 'end')).toMatchObject({
        error: { code: 'ELICITATION_DECLINED' },
      });
      expect(typesOf(session).filter((type) => type.startsWith('elicit'))).toHaveLength(2);
    }),
  );

  it.each([
    [{ ...login, url: 'http://example.com/' }, /this 'url' cannot be opened: it begins with 'https:/],
    [{ ...login, url: 'javascript:alert(1)' }, /this 'url' cannot be opened/],
    [{ ...login, url: 'https://a@b.example' }, /would hide where it leads/],
    [{ ...login, elicitationId: '' }, /'elicitationId' is a text/],
    [{ mode: 'url', url: login.url } as unknown as PageOptions, /it has no message/],
  ])('refuses %j', (options, problem) =>
    withManager(function* ({ manager }) {
      const session = yield* manager.create({ tool: sending(options), params: {} });
      expect(yield* endOf(session)).toMatchObject({
        error: { code: 'ELICITATION_OPTIONS', message: expect.stringMatching(problem) },
      });
    })(),
  );

  it(
    'needs a client that can send people to pages; one that has forms only is not enough',
    withManager(function* ({ manager }) {
      const forms = clientOf({
        *elicit() {
          return accept({});
        },
      });
      const client = {
        ...forms,
        can: (ask: Parameters<Client['can']>[0]) => canAnswer(forms.capabilities(), ask),
      };
      const asked = yield* manager.create({ tool: sending(), params: {} });
      expect(yield* drive(asked, client, 'end')).toMatchObject({
        error: { code: 'CAPABILITY', details: { capability: 'elicitation.url' } },
      });
      const needs = tool(function* () {}, { requires: { elicitation: { url: true } } });
      const capabilities = { elicitation: { form: true } } as const;
      expect(yield* failure(manager.create({ tool: needs, params: {}, capabilities }))).toMatchObject({
        code: 'CAPABILITY',
      });
      yield* manager.create({ tool: needs, params: {}, capabilities: { elicitation: { url: true } } });
      const form = tool(function* () {}, { requires: { elicitation: true } });
      expect(
        yield* failure(
          manager.create({ tool: form, params: {}, capabilities: { elicitation: { url: true } } }),
        ),
      ).toMatchObject({ details: { capability: 'elicitation' } });
    }),
  );

  it(
    'says which modes a tool may require',
    withManager(function* () {
      expect(() => tool(function* () {}, { requires: { elicitation: { fax: true } as never } })).toThrow(
        /knows no elicitation 'fax': it knows form, url/,
      );
    }),
  );

  it(
    'is in the journal: a call that is taken up asks for the same page, and one that was agreed to is not opened again',
    withManager(function* ({ manager }) {
      const code = () =>
        durable(function* (ctx) {
          const page = yield* ctx.elicit.strict(login);
          yield* page.completed();
          const seat = yield* ctx.elicit.strict('seat', { message: 'Which row?' });
          return [page.elicitationId, seat.row];
        });
      const first = yield* manager.create({ tool: code(), params: {}, callId: 'c1' });
      const waiting = yield* resumed(code(), journalOf(first));
      expect(waiting.openAsks()).toMatchObject([{ id: 'elicit-1', request: login }]);
      first.respond('elicit-1', accept({}));
      yield* eventLoopTurn();
      expect(journalOf(first).lines.map(shortly)).toEqual([
        'open elicit-1 as elicit#1: Log in.',
        'answer elicit-1',
        'open elicit-2 as seat: Which row?',
      ]);
      expect(JSON.stringify(journalOf(first))).not.toContain('state=1');
      const session = yield* resumed(code(), journalOf(first));
      expect(typesOf(session)).toEqual(['elicit_request elicit-2#1']);
      session.respond('elicit-2', row(4));
      yield* eventLoopTurn();
      expect(yield* endOf(session)).toMatchObject({ value: ['c1-elicit-1', 4] });
    }),
  );

  it(
    'to another page than before is another question',
    withManager(function* ({ manager }) {
      const to = (url: string) =>
        durable(function* (ctx) {
          return (yield* ctx.elicit({ ...login, url })).action;
        });
      const first = yield* manager.create({ tool: to('https://a.example/'), params: {}, callId: 'c1' });
      const journal = journalOf(first);
      yield* first.abort();
      const session = yield* resumed(to('https://b.example/'), journal);
      expect(session.ended()).toMatchObject({ error: { code: 'REPLAY_DIVERGED' } });
    }),
  );
});

function* failure(op: Operation<unknown>): Operation<unknown> {
  try {
    yield* op;
  } catch (error) {
    return error;
  }
  return undefined;
}
