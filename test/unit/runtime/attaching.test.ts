import { scoped } from 'effection';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { createMcpTool } from '#src/core/tool/create-mcp-tool.ts';
import { createSessionManager } from '#src/runtime/manager/session-manager.ts';
import { kept } from './journal/journal-kit.ts';
import { type Ctx, clientOf, endOf, questions, row, tool, waits, withManager } from './session-kit.ts';

it(
  'a client that is attached counts until the scope ends that it is attached in',
  withManager(function* ({ manager }) {
    const code = tool((ctx: Ctx) => ctx.elicit('seat', { message: '?' }));
    const session = yield* manager.create({ tool: code, params: {} });
    const [ask] = session.openAsks();
    if (!ask) throw new Error('nothing is asked');
    const within = yield* scoped(function* () {
      const lease = yield* session.attach(clientOf({ elicit: waits }));
      return [session.canAnswer(ask), lease.claim(ask.id)];
    });
    expect(within).toEqual([true, true]);
    expect(session.canAnswer(ask)).toBe(false);
    yield* session.abort();
  }),
);

it(
  'what is known to be answered by nobody is not asked, also while nobody drives the call',
  withManager(function* ({ manager }) {
    const code = tool(function* (ctx: Ctx) {
      const failed: unknown[] = [];
      for (const ask of [
        () => ctx.elicit('seat', { message: '?' }),
        () => ctx.sample({ prompt: '?' }),
        () => ctx.roots(),
      ]) {
        try {
          yield* ask();
        } catch (error) {
          failed.push((error as { details: unknown }).details);
        }
      }
      return failed;
    });
    const session = yield* manager.create({ tool: code, params: {}, capabilities: {} });
    expect(yield* endOf(session)).toMatchObject({
      value: [{ capability: 'elicitation' }, { capability: 'sampling' }, { capability: 'roots' }],
    });
  }),
);

it(
  'what a tool cannot do without is looked for again where its call is taken up',
  withManager(function* ({ manager }) {
    const code = createMcpTool('probe')
      .description('A tool of a test.')
      .parameters(z.object({}))
      .requires({ sampling: true })
      .durable()
      .elicits(questions)
      .execute(function* (_, ctx) {
        yield* ctx.elicit('seat', { message: 'first' });
        yield* ctx.elicit('seat', { message: 'second' });
      });
    const form = { elicitation: { form: true } } as const;
    const capabilities = { ...form, sampling: { tools: false } } as const;
    const first = yield* manager.create({ tool: code, params: {}, capabilities });
    const journal = kept(first.journal());
    const other = yield* createSessionManager();
    const session = yield* other.resume({ tool: code, journal, capabilities: form });
    session.respond('elicit-1', row(1));
    expect(yield* endOf(session)).toMatchObject({
      error: { code: 'CAPABILITY', details: { capability: 'sampling' } },
    });
  }),
);
