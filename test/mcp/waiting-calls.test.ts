import { run, suspend } from 'effection';
import { createSessionManager, type SessionManager } from 'parley-mcp/server';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { CallNote } from '#src/calls/messages.ts';
import { servedCalls } from '#src/mcp/served-calls.ts';
import { plan } from './kit/durable-tools.ts';
import { type InProcess, startServer } from './kit/in-process.ts';
import { accept, ask } from './kit/wire.ts';

const capabilities = { elicitation: { form: true } } as const;
const answeredAlready = { code: -32602, data: { reason: 'answered_already' } };
const badState = { code: -32602, data: { reason: 'invalid_request_state' } };

/** What is left of a process: the journals of its calls, and what they wait with. */
interface Left {
  readonly journals: Map<string, { header: unknown; lines: unknown[] }>;
  readonly notes: Map<string, CallNote>;
}

const sinkOf = ({ lines }: { lines: unknown[] }) => ({
  *append(more: readonly unknown[]) {
    lines.push(...structuredClone(more));
  },
});

function nothing(): Left {
  return { journals: new Map(), notes: new Map() };
}

/** A process whose calls are run by a manager of its own, as an editor's are. */
async function startProcess({ journals, notes }: Left) {
  const started = Promise.withResolvers<SessionManager>();
  const life = run(function* () {
    const manager = yield* createSessionManager({
      *keep(header) {
        const journal = { header, lines: [] as unknown[] };
        journals.set(header.callId, journal);
        return sinkOf(journal);
      },
    });
    started.resolve(manager);
    yield* suspend();
  });
  const manager = await started.promise;
  const token = (name: string) => ({ token: name.repeat(20), principal: { name } });
  const server = await startServer(
    {
      tools: [plan],
      manager,
      calls: servedCalls({
        ...{ manager, ttl: 3_600_000, report() {}, run },
        staying: {
          of: ({ id, principal }) => ({
            name: { principal, conversation: '', callId: id },
            claim: undefined,
            note: notes.get(id),
            *write(note) {
              notes.set(id, structuredClone(note));
            },
          }),
          *takeUp({ principal, callId }) {
            const journal = journals.get(callId);
            const whose = Object(journal?.header).principal;
            if (!journal || whose !== principal) return undefined;
            const sink = sinkOf(journal);
            return yield* manager.resume({ tool: plan, journal, capabilities, sink, retain: true });
          },
        },
      }),
    },
    { tokens: [token('Ada'), token('Bob')] },
  );
  const close = async () => {
    await server.close();
    await life.halt();
  };
  onTestFinished(close);
  const goBack = (askId: string) =>
    run(function* () {
      for (const session of manager.listActive()) yield* session.rewind(askId);
    });
  return { ...server, close, goBack };
}

async function leg({ url }: InProcess, more: object = {}, who = 'Ada') {
  const call = { name: 'plan', arguments: { to: 'LIS' }, ...more };
  return await ask(url, 'tools/call', call, { authorization: `Bearer ${who.repeat(20)}` });
}

describe('a call that waits for its client while the process ends', () => {
  it('goes on in the next one, with what was answered early, and asks nothing twice', async () => {
    const left = nothing();
    const first = await startProcess(left);
    const one = await leg(first, { inputResponses: { sure: accept({ sure: true }) } });
    const { requestState } = one.result;
    await first.close();

    const second = await startProcess(left);
    const answered = { requestState, inputResponses: { day: accept({ day: 'monday' }) } };
    const two = await leg(second, answered);
    expect(Object.keys(two.result.inputRequests)).toEqual(['seat']);
    // Each state opens one leg, in whichever process: the same answers again get the same response, and others are refused.
    const other = { requestState, inputResponses: { day: accept({ day: 'friday' }) } };
    expect((await leg(second, answered)).result).toEqual(two.result);
    expect((await leg(second, other)).error).toMatchObject(answeredAlready);
    await second.close();

    const third = await startProcess(left);
    expect((await leg(third, answered)).result).toEqual(two.result);
    expect((await leg(third, other)).error).toMatchObject(answeredAlready);
    const last = { requestState: two.result.requestState, inputResponses: { seat: accept({ row: 7 }) } };
    const end = await leg(third, last);
    expect(end.result).toMatchObject({ content: [{ text: 'LIS monday 7 true' }] });
  });

  it('asks again what was answered early, where it went back meanwhile', async () => {
    const left = nothing();
    const first = await startProcess(left);
    const one = await leg(first, { inputResponses: { sure: accept({ sure: true }) } });
    const answered = {
      requestState: one.result.requestState,
      inputResponses: { day: accept({ day: 'monday' }) },
    };
    const { requestState } = (await leg(first, answered)).result;
    await first.goBack('elicit-1');
    await first.close();

    const second = await startProcess(left);
    let { result } = await leg(second, { requestState });
    for (const [key, content] of [
      ['day#2', { day: 'friday' }],
      ['seat#2', { row: 9 }],
    ] as const) {
      expect(Object.keys(result.inputRequests)).toEqual([key]);
      ({ result } = await leg(second, {
        requestState: result.requestState,
        inputResponses: { [key]: accept(content) },
      }));
    }
    expect(result.inputRequests).toMatchObject({ sure: { params: { message: 'Row 9 on friday?' } } });
  });

  it('goes on once with the same request twice at one moment', async () => {
    const left = nothing();
    const first = await startProcess(left);
    const { requestState } = (await leg(first)).result;
    await first.close();
    const second = await startProcess(left);
    const answered = { requestState, inputResponses: { day: accept({ day: 'monday' }) } };
    const both = await Promise.all([leg(second, answered), leg(second, answered)]);
    for (const { result } of both) expect(result).toEqual(both[0]?.result);
    expect(Object.keys(both[0]?.result.inputRequests)).toEqual(['seat']);
  });

  it('is nobody else’s, and no state that was made up goes on with it', async () => {
    const left = nothing();
    const first = await startProcess(left);
    const { requestState } = (await leg(first)).result;
    await first.close();
    const answered = { requestState, inputResponses: { day: accept({ day: 'monday' }) } };
    const second = await startProcess(left);
    expect((await leg(second, answered, 'Bob')).error).toMatchObject(badState);
    const forged = `${requestState.slice(0, -1)}${requestState.endsWith('A') ? 'B' : 'A'}`;
    expect((await leg(second, { ...answered, requestState: forged })).error).toMatchObject(badState);
    expect((await leg(second, answered)).result.inputRequests.seat).toBeDefined();
  });
});
