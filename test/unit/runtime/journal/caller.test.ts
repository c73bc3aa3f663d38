import { expect, it } from 'vitest';
import { endOf, row, settle, withManager } from '../session-kit.ts';
import { type Ctx, durable, journalOf, resumed } from './journal-kit.ts';

const asking = () =>
  durable(function* (ctx: Ctx) {
    const before = ctx.caller;
    yield* ctx.elicit('seat', { message: '?' });
    return [before, ctx.caller];
  });

const program = { name: 'codex', version: '1.2' };

it(
  'ctx.caller is who made the call, also where another process has taken it up',
  withManager(function* ({ manager }) {
    const made = { principal: 'ada', claims: { client: 'Codex 1.2', program } };
    const session = yield* manager.create({ tool: asking(), params: {}, ...made });
    const caller = { client: program, principal: 'ada', person: true };
    const again = yield* resumed(asking(), journalOf(session));
    for (const one of [session, again]) {
      yield* settle();
      one.respond('elicit-1', row(1));
      expect(yield* endOf(one)).toMatchObject({ value: [caller, caller] });
    }
  }),
);

it(
  'ctx.caller has nothing that nobody said, and says that no person can be asked',
  withManager(function* ({ manager }) {
    const tool = durable(function* (ctx: Ctx) {
      return ctx.caller;
    });
    const session = yield* manager.create({ tool, params: {}, capabilities: { sampling: { tools: true } } });
    expect(yield* endOf(session)).toMatchObject({ value: { person: false } });
    expect(JSON.stringify(session.ended())).not.toMatch(/client|principal/);
  }),
);
