// A call with steps, kept in a folder. As a process it ends itself with `kill -9` at an entry of the journal:
// FOLDER KEY LOG before|after N.
import { appendFile } from 'node:fs/promises';
import { type Operation, run, until, withResolvers } from 'effection';
import * as z from 'zod';
import { createMcpTool } from '#src/core/tool/create-mcp-tool.ts';
import { asJson } from '#src/mcp/wire/as-json.ts';
import { drive } from '#src/runtime/drive/drive.ts';
import type { JournalSink } from '#src/runtime/journal/sink.ts';
import { createSessionManager } from '#src/runtime/manager/session-manager.ts';
import type { Client } from '#src/runtime/session/client.ts';
import type { EndEvent } from '#src/runtime/session/events.ts';
import type { CallStore, Claim } from '#src/stores/index.ts';
import { createSqliteStore } from '#src/stores/index.ts';

export const callName = { principal: '', conversation: '', callId: 'dying' };

/** What happens around an append: `n` counts those of this process. */
export interface AroundAppend {
  before(n: number): void;
  after(n: number): void;
}

const effect = (log: string, id: string, attempt: number) => until(appendFile(log, `${id} ${attempt}\n`));

const release = createMcpTool('release')
  .description('Three steps and two questions')
  .parameters(z.object({ log: z.string() }))
  .durable()
  .elicits({ version: z.object({ version: z.string() }), sure: z.object({ sure: z.boolean() }) })
  .execute(function* ({ log }, ctx) {
    const one = yield* ctx.step('one', function* ({ id, attempt }) {
      yield* effect(log, id, attempt);
      return 1;
    });
    const { version } = yield* ctx.elicit.strict('version', { message: 'Which?' });
    yield* ctx.step('two', ({ id, attempt }) => effect(log, id, attempt));
    const { sure } = yield* ctx.elicit.strict('sure', { message: 'Sure?' });
    yield* ctx.step('three', ({ id, attempt }) => effect(log, id, attempt));
    return [one, version, sure];
  });

const answers: Readonly<Record<string, object>> = { version: { version: '1.0' }, sure: { sure: true } };

const person: Client = {
  name: 'a person',
  capabilities: () => ({ elicitation: { form: true } }),
  can: (ask) => ask.kind === 'elicit',
  *elicit(ask) {
    return { action: 'accept', content: answers[ask.ref.key] ?? {} };
  },
};

/** Begins the call, or takes it up, and drives it to its end. */
export function* goOn(store: CallStore, log: string, around: AroundAppend): Operation<EndEvent> {
  const manager = yield* createSessionManager();
  const written = withResolvers<void>('the end is written');
  let count = 0;
  const sinkOf = (claim: Claim): JournalSink => ({
    *append(lines, at) {
      count += 1;
      around.before(count);
      yield* store.append(claim, { at, lines: lines.map(asJson) });
      around.after(count);
      if (lines.at(-1)?.t === 'end') written.resolve();
    },
  });
  const kept = yield* store.read(callName);
  if (!kept) {
    const session = yield* manager.create({
      tool: release,
      params: { log },
      callId: callName.callId,
      *keep(header) {
        return sinkOf(yield* store.begin({ name: callName, header: asJson(header) }));
      },
    });
    const end = yield* drive(session, person, 'end');
    yield* written.operation;
    return end;
  }
  const outcome = yield* store.claim(callName);
  if (outcome.type !== 'claimed') throw new Error(outcome.type);
  const { header, lines } = kept;
  const sink = sinkOf(outcome.claim);
  const session = yield* manager.resume({ tool: release, journal: { header, lines }, sink });
  const end = yield* drive(session, person, 'end');
  yield* written.operation;
  return end;
}

if (process.argv[1] === import.meta.filename) {
  const [folder = '', key = '', log = '', when = '', n = ''] = process.argv.slice(2);
  const store = createSqliteStore({ folder, keys: [Buffer.from(key, 'base64url')] });
  const dieAt = (wanted: string) => (count: number) => {
    if (when === wanted && count === Number(n)) process.kill(process.pid, 'SIGKILL');
  };
  await run(() => goOn(store, log, { before: dieAt('before'), after: dieAt('after') }));
  process.exit(0);
}
