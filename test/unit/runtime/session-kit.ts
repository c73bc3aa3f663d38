import { type Operation, run, scoped, spawn, suspend, withResolvers } from 'effection';
import { expect } from 'vitest';
import * as z from 'zod';
import type { AnyPlugin } from '#src/core/plugin/plugin.ts';
import type { ToolContext } from '#src/core/tool/context.ts';
import { createMcpTool } from '#src/core/tool/create-mcp-tool.ts';
import type { AnyTool, ToolLimits, ToolRequirements } from '#src/core/tool/tool.ts';
import { ClockContext } from '#src/core/world/clock.ts';
import { IdsContext } from '#src/core/world/ids.ts';
import type { ManagerOptions, SessionManager } from '#src/runtime/manager/manager.ts';
import { createSessionManager } from '#src/runtime/manager/session-manager.ts';
import type { Ask } from '#src/runtime/session/ask.ts';
import type { Client } from '#src/runtime/session/client.ts';
import type { SessionEvent } from '#src/runtime/session/events.ts';
import { type Fault, FaultsContext } from '#src/runtime/session/faults.ts';
import type { Session } from '#src/runtime/session/session.ts';
import { eventLoopTurn } from '#src/runtime/time/event-loop.ts';
import { createTestClock, createTestIds, type TestClock } from '#src/testing/index.ts';

/** The code of tools is at the other end of a line: see the projects of `test/vitest.config.ts`. */
export const isElsewhere = process.env.PARLEY_TOOLS === 'elsewhere';

/** A tool or plugin as this run has it: itself, or what stands for it where its code is elsewhere. */
export const placed: <T extends AnyTool | AnyPlugin>(offer: T) => T = isElsewhere
  ? (await import('../isolation/elsewhere.ts')).elsewhere
  : (offer) => offer;

/** Lets what follows happen, here and where the code of the tool is. */
export function* settle(): Operation<void> {
  for (let n = isElsewhere ? 30 : 4; n > 0; n--) yield* eventLoopTurn();
}

/** The same manager: a call has come, with its code, to where it first waits. */
export function settling(manager: SessionManager): SessionManager {
  if (!isElsewhere) return manager;
  const settled = <A extends unknown[], R>(verb: (...args: A) => Operation<R>) =>
    function* (...args: A): Operation<R> {
      const given = yield* verb.apply(manager, args);
      yield* settle();
      return given;
    };
  const verbs = { create: settled(manager.create), resume: settled(manager.resume) };
  return new Proxy(manager, {
    get(target, name) {
      if (name in verbs) return verbs[name as keyof typeof verbs];
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** What a test of sessions works with: nothing in it moves by itself. */
export interface Kit {
  readonly manager: SessionManager;
  readonly clock: TestClock;
  readonly diagnostics: readonly Fault[];
}

/** Runs a test with a manager of its own, on a clock that the test moves and ids that count. */
export function withManager(
  body: (kit: Kit) => Operation<void>,
  options: ManagerOptions = {},
): () => Promise<void> {
  return () =>
    run(function* () {
      const clock = createTestClock();
      const diagnostics: Fault[] = [];
      yield* ClockContext.set(clock);
      yield* IdsContext.set(createTestIds());
      yield* FaultsContext.set((diagnostic) => void diagnostics.push(diagnostic));
      // After a failure, closing the manager may wait for a clock that nobody moves any more.
      const failed = withResolvers<void>();
      const moving = yield* spawn(function* () {
        yield* failed.operation;
        for (;;) yield* advance(clock, 1_000);
      });
      yield* scoped(function* () {
        const manager = settling(yield* createSessionManager(options));
        try {
          yield* body({ manager, clock, diagnostics });
        } catch (error) {
          failed.resolve();
          throw error;
        }
      });
      yield* moving.halt();
      if (clock.sleeping() > 0) throw new Error(`${clock.sleeping()} timers are left`);
    });
}

/** The elicitations of the tool that {@link tool} makes. */
export const questions = {
  seat: z.object({ row: z.int().min(1).max(30) }),
  meal: { response: z.object({ dish: z.string() }), context: z.object({ dishes: z.array(z.string()) }) },
};

export type Ctx = ToolContext<typeof questions>;

/** A tool whose code a test writes on the spot. It takes any parameters. */
export function tool<R>(
  code: (ctx: Ctx, params: Record<string, unknown>) => Operation<R>,
  extra: { readonly limits?: ToolLimits; readonly requires?: ToolRequirements } = {},
) {
  return placed(
    createMcpTool('probe')
      .description('A tool of a test.')
      .parameters(z.record(z.string(), z.unknown()))
      .limits(extra.limits ?? {})
      .requires(extra.requires ?? {})
      .elicits(questions)
      .execute((params, ctx) => code(ctx, params)),
  );
}

export const accept = (content: unknown) => ({ action: 'accept', content }) as const;
export const row = (n: number) => accept({ row: n });
export const said = (text: string) =>
  ({ role: 'assistant', content: { type: 'text', text }, model: 'm' }) as const;

/** A client that can do everything its verbs do. */
export function clientOf(verbs: Partial<Client> = {}): Client {
  return {
    name: 'probe client',
    capabilities: () => ({
      ...(verbs.elicit ? { elicitation: { form: true } } : {}),
      ...(verbs.sample ? { sampling: { tools: true } } : {}),
      ...(verbs.roots ? { roots: true } : {}),
    }),
    can: (ask: Ask) => verbs[ask.kind] !== undefined,
    ...verbs,
  };
}

/** Waits for the next event of a type. */
export function* eventOf<T extends SessionEvent['type']>(
  session: Session,
  type: T,
  after = 0,
): Operation<Extract<SessionEvent, { type: T }>> {
  for (let at = after; ; ) {
    const event = yield* session.nextEvent(at);
    if (event.type === type) return event as Extract<SessionEvent, { type: T }>;
    if (event.at <= at) throw new Error(`the session ended with ${event.type} before any ${type}`);
    at = event.at;
  }
}

/** Moves the clock, and lets what that sets off happen. */
export function* advance(clock: TestClock, milliseconds: number): Operation<void> {
  yield* settle();
  clock.advance(milliseconds);
  yield* settle();
}

/** A verb that never answers. */
export function* waits(): Operation<never> {
  yield* suspend();
  throw new Error('nothing wakes it');
}

/** Waits for the end. */
export function* endOf(session: Session): Operation<SessionEvent> {
  for (let at = 0; ; ) {
    const event = yield* session.nextEvent(at);
    if (event.at <= at || session.ended()?.at === event.at) return event;
    at = event.at;
  }
}

/** Events without times and numbers, for golden transcripts. */
export function typesOf(session: Session): readonly string[] {
  return session.events().map((event) => {
    if ('ask' in event) return `${event.type} ${event.ask.id}#${event.ask.attempt}`;
    if (event.type === 'ask_closed') return `ask_closed ${event.id} ${event.how}`;
    return event.type === 'log' || event.type === 'progress' ? `${event.type} ${event.message}` : event.type;
  });
}

/** Runs an operation that must fail with an error of this code. */
export function* rejects(op: () => Operation<unknown>, code: string): Operation<void> {
  let thrown: unknown;
  try {
    yield* op();
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toMatchObject({ code });
}
