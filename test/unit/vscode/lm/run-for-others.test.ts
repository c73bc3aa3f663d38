import { type Operation, run, spawn, suspend, withResolvers } from 'effection';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { makePlugin } from '#src/core/plugin/make-plugin.ts';
import { createMcpTool } from '#src/core/tool/create-mcp-tool.ts';
import { servedCalls } from '#src/mcp/served-calls.ts';
import type { SessionManager } from '#src/runtime/manager/manager.ts';
import { createSessionManager } from '#src/runtime/manager/session-manager.ts';
import type { Session } from '#src/runtime/session/session.ts';
import { createMockMcpClient, type MockMcpClient } from '#src/testing/index.ts';
import { attendCall } from '#src/vscode/calls/attend.ts';
import type { CallDesk } from '#src/vscode/calls/desk.ts';
import { runForOthers } from '#src/vscode/calls/run/run-for-others.ts';

const greet = createMcpTool('greet')
  .description('Greets.')
  .parameters(z.object({ greeting: z.string() }))
  .elicits({ who: z.object({ name: z.string() }) })
  .execute(function* ({ greeting }, ctx) {
    const { name } = yield* ctx.elicit.strict('who', { message: 'Who?' });
    return `${greeting}, ${name}`;
  });
const plugin = makePlugin(greet).onElicit({ who: 'form' }).build();

function deskOf(manager: SessionManager, client: MockMcpClient, adopted: Session[]): CallDesk {
  const calls = servedCalls({ manager, ttl: 3_600_000, report() {}, run });
  return {
    manager,
    *run(): Operation<never> {
      throw new Error('a person did not ask');
    },
    *mayRun() {
      return true;
    },
    calls,
    editor: client,
    attend: (session, one) => attendCall(calls, session, one),
    adoptFor(session) {
      adopted.push(session);
    },
    listOther() {
      throw new Error('there are no other programs');
    },
    panelOf: () => undefined,
    pageDrawn() {},
    changed() {},
    *ask() {
      return { action: 'decline' };
    },
    revive() {
      throw new Error('there is no history');
    },
    *takeUp() {
      return new Map();
    },
    *linesOf() {
      return [];
    },
    adopt(session) {
      adopted.push(session);
      return client;
    },
  };
}

const request = {
  plugin,
  params: { greeting: 'Hello' },
  asker: { kind: 'agent', name: 'the agent' },
} as const;

describe('runForOthers', () => {
  it('runs a call that the editor answers, and gives its end', async () => {
    const end = await run(function* () {
      const client = createMockMcpClient({
        elicitResponses: [{ action: 'accept', content: { name: 'Ada' } }],
      });
      const desk = deskOf(yield* createSessionManager(), client, []);
      return (yield* runForOthers(desk, request)).end;
    });
    expect(end).toMatchObject({ type: 'result', value: 'Hello, Ada' });
  });

  it('gives the failure of a call as its end', async () => {
    const end = await run(function* () {
      const client = createMockMcpClient({ elicitResponses: [{ action: 'decline' }] });
      const desk = deskOf(yield* createSessionManager(), client, []);
      return (yield* runForOthers(desk, request)).end;
    });
    expect(end).toMatchObject({ type: 'error', error: { code: 'ELICITATION_DECLINED' } });
  });

  it('refuses parameters that do not fit before anything is shown', async () => {
    const adopted: Session[] = [];
    const refused = run(function* () {
      const desk = deskOf(yield* createSessionManager(), createMockMcpClient(), adopted);
      yield* runForOthers(desk, { ...request, params: { greeting: 1 } });
    });
    await expect(refused).rejects.toThrow(/greeting.*corrected parameters/);
    expect(adopted).toEqual([]);
  });

  it('aborts the call when whoever asked for it is halted', async () => {
    const adopted: Session[] = [];
    await run(function* () {
      const asked = withResolvers<void>();
      const client = createMockMcpClient();
      const waiting: MockMcpClient = {
        ...client,
        *elicit() {
          asked.resolve();
          return yield* suspend() as Operation<never>;
        },
      };
      const desk = deskOf(yield* createSessionManager(), waiting, adopted);
      const task = yield* spawn(() => runForOthers(desk, request));
      yield* asked.operation;
      yield* task.halt();
    });
    expect(adopted[0]?.ended()).toMatchObject({
      type: 'aborted',
      reason: 'the agent was stopped',
    });
  });
});
