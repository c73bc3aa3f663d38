import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type Operation, run, suspend, type Task } from 'effection';
import { afterAll, beforeAll } from 'vitest';
import { type CodeEngine, useCodeEngine } from '#src/code/sandbox/engine.ts';
import type { CodeLimits, SandboxTurn, SettledCall } from '#src/code/sandbox/messages.ts';

/** Where the sandbox is in a checkout. */
export const places = {
  worker: join(import.meta.dirname, '../../../src/code/sandbox/code-worker.ts'),
  wasm: createRequire(import.meta.url).resolve('quickjs-wasi/quickjs.wasm'),
};

/** Runs with an engine that ends with it. */
export function withEngine<T>(use: (engine: CodeEngine) => Operation<T>, limits: Partial<CodeLimits> = {}) {
  return run(function* () {
    return yield* use(yield* useCodeEngine({ ...places, limits }));
  });
}

/** An engine for all tests of a file: its threads stay warm. */
export function sharedEngine(): () => CodeEngine {
  let engine: CodeEngine | undefined;
  let task: Task<void> | undefined;
  beforeAll(async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    task = run(function* () {
      engine = yield* useCodeEngine(places);
      resolve();
      yield* suspend();
    });
    await promise;
  });
  afterAll(() => task?.halt());
  return () => {
    if (!engine) throw new Error('the engine is there when tests run');
    return engine;
  };
}

/** What came of code, with all its lines. Calls are answered with what they were given, by `echo`. */
export function* outcomeOf(engine: CodeEngine, code: string): Operation<SandboxTurn> {
  const sandbox = yield* engine.useSandbox();
  const lines: string[] = [];
  let turn = yield* sandbox.turn({ kind: 'run', code });
  lines.push(...turn.lines);
  while (turn.state.kind === 'waits' && turn.requests.length > 0) {
    turn = yield* sandbox.turn({ kind: 'settle', settled: turn.requests.map(answer) });
    lines.push(...turn.lines);
  }
  return { ...turn, lines };
}

function answer({ id, tool, args }: SandboxTurn['requests'][number]): SettledCall {
  return tool === 'failing'
    ? { id, ok: false, error: { name: 'ToolError', message: 'out of paper', code: 'PAPER' } }
    : { id, ok: true, json: args };
}
