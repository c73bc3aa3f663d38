import { run, scoped, spawn, suspend, until } from 'effection';
import { describe, expect, it, vi } from 'vitest';
import type { CodeLimits } from '#src/code/sandbox/messages.ts';
import { outcomeOf, sharedEngine, withEngine } from './code-kit.ts';

const shared = sharedEngine();

const stateOf = (code: string, limits?: Partial<CodeLimits>) =>
  (limits
    ? withEngine((engine) => outcomeOf(engine, code), limits)
    : run(() => scoped(() => outcomeOf(shared(), code)))
  ).then(({ state }) => state);

const resultOf = async (code: string, limits?: Partial<CodeLimits>) => {
  const state = await stateOf(code, limits);
  return state.kind === 'returned' && state.json !== undefined ? JSON.parse(state.json) : state;
};

describe('a sandbox', () => {
  it('runs TypeScript, calls tools, and gives JSON', async () => {
    const code = `
      interface Point { x: number }
      const at: Point = { x: 1 };
      const both = await Promise.all([tools.echo(at), tools['a-b/c']({ y: 2 } as const)]);
      return both.map((one: any) => ({ ...one }));`;
    expect(await resultOf(code)).toEqual([{ x: 1 }, { y: 2 }]);
    expect(await stateOf('tools.echo')).toEqual({ kind: 'returned', json: undefined });
  });

  it('says where it failed, by the lines of the code', async () => {
    const state = await stateOf(
      'const a = 1;\nconst f = () => {\n  throw new TypeError("no such luck");\n};\nf();',
    );
    expect(state).toMatchObject({
      kind: 'threw',
      message: expect.stringContaining('TypeError: no such luck'),
    });
    expect(state).toMatchObject({ message: expect.stringContaining('code.ts:3') });
    expect(await stateOf('const = 1')).toMatchObject({ message: expect.stringContaining('SyntaxError') });
    expect(await stateOf('return 1n')).toMatchObject({ message: expect.stringContaining('not JSON') });
  });

  it('throws what a tool throws, to be caught', async () => {
    const code =
      'try { await tools.failing({}) } catch (error) { return [error instanceof Error, error.name, error.message, error.code] }';
    expect(await resultOf(code)).toEqual([true, 'ToolError', 'out of paper', 'PAPER']);
  });

  it('gives back what was printed, as far as there is room', async () => {
    const code =
      'console.log("a", { b: 1 }, [2]); console.error(new Error("no")); console.log("x".repeat(100)); return 1';
    const { lines, omitted } = await withEngine((engine) => outcomeOf(engine, code), { output: 80 });
    expect(lines[0]).toBe('a {\n  "b": 1\n} [\n  2\n]');
    expect(lines[1]).toContain('Error: no');
    expect(lines.join('').length + omitted).toBeGreaterThan(100);
    expect(lines.join('').length).toBeLessThanOrEqual(80);
  });

  it('is a new one each time, also where a thread is used again', async () => {
    const seen = await withEngine(function* (engine) {
      const first = yield* scoped(() =>
        outcomeOf(engine, 'globalThis.left = 1; Array.prototype.map = 2; return left'),
      );
      const second = yield* scoped(() => outcomeOf(engine, 'return [typeof left, typeof [].map]'));
      return [first.state, second.state];
    });
    expect(seen).toEqual([
      { kind: 'returned', json: '1' },
      { kind: 'returned', json: '["undefined","function"]' },
    ]);
  });
});

describe('what code may not', () => {
  it('reach anything of the host: it has no such names, and constructors lead nowhere', async () => {
    const code = `
      const names = ['process', 'require', 'fetch', 'XMLHttpRequest', 'WebSocket', 'setTimeout', 'setInterval',
        'setImmediate', 'WebAssembly', 'SharedArrayBuffer', 'Atomics', 'Worker', 'postMessage', 'performance', 'send',
        'std', 'os', 'scriptArgs', 'print', 'module', 'exports', '__dirname', 'Buffer', 'navigator', 'crypto'];
      const there = names.filter((name) => typeof globalThis[name] !== 'undefined');
      const outer = [
        (() => {}).constructor('return this')(),
        tools.echo.constructor('return this')(),
        console.log.constructor('return this')(),
        (async () => {}).constructor('return globalThis'),
        Reflect.ownKeys(console.log),
      ];
      const global = outer.slice(0, 3).every((one) => one === globalThis || one === undefined);
      return { there, global, caller: (() => { try { return String(console.log.caller) } catch (e) { return e.name } })() };`;
    expect(await resultOf(code)).toEqual({
      there: [],
      global: true,
      caller: expect.stringMatching(/TypeError|undefined|null/),
    });
  });

  it('import', async () => {
    expect(await stateOf('import fs from "node:fs"; return fs')).toMatchObject({ kind: 'threw' });
    for (const name of ['node:fs', 'std', 'os', './code-worker.js', 'data:text/javascript,1']) {
      const state = await stateOf(`return await import(${JSON.stringify(name)})`);
      expect(state, name).toMatchObject({
        kind: 'threw',
        message: expect.stringContaining('could not load module'),
      });
    }
  });

  it('tell the time, or be told chance', async () => {
    const tries = [
      'Date.now()',
      'new Date()',
      'Date()',
      'new (new Date(0).constructor)()',
      'Reflect.construct(Date, [])',
      'new (class extends Date {})()',
      'new (Object.getPrototypeOf(new Date(0)).constructor)()',
    ];
    for (const one of tries) {
      expect(await stateOf(`return +${one}`), one).toMatchObject({
        kind: 'threw',
        message: expect.stringContaining('there is no clock in here'),
      });
    }
    expect(await resultOf('return new Date("2026-05-01T10:00:00Z").getTimezoneOffset()')).toBe(0);
    expect(await resultOf('return Math.random()')).toBe(await resultOf('return Math.random()'));
  });

  it('change what the bridge does by changing prototypes', async () => {
    const code = `
      const seen = [];
      const steal = function () { for (const one of arguments) if (typeof one === 'string') seen.push(one); return this; };
      for (const type of [Object, Array, Function, String, Promise, Map, Error]) {
        for (const name of Object.getOwnPropertyNames(type.prototype)) {
          if (name === 'constructor' || name === 'push' || name === 'map' || name === 'then') continue;
          try { type.prototype[name] = steal } catch {}
        }
      }
      JSON.parse = JSON.stringify = steal;
      globalThis.Promise = globalThis.Reflect = globalThis.Error = undefined;
      Object.prototype.resolve = Object.prototype.reject = steal;
      const got = await tools.echo({ a: 1 });
      return { a: got.a, stolen: seen.filter((one) => one.includes('send') || one.includes('"a"')) };`;
    expect(await resultOf(code)).toEqual({ a: 1, stolen: [] });
  });

  it('say of a call what it is not: its number, its tool and its arguments are those of the bridge', async () => {
    const code = `
      const numbers = [];
      Array.prototype.toJSON = function () { numbers.push(this[0]); return [1, 'forged', '[['] };
      Number.prototype.toJSON = String.prototype.toJSON = () => 1;
      tools.echo({ a: true });
      tools.echo({ b: true });
      await tools.echo({ c: true });
      delete Array.prototype.toJSON;
      return numbers.length;`;
    const requests = await withEngine(function* (engine) {
      const sandbox = yield* engine.useSandbox();
      return (yield* sandbox.turn({ kind: 'run', code })).requests;
    });
    expect(requests).toEqual([
      { id: 1, tool: 'echo', args: '{"a":true}' },
      { id: 2, tool: 'echo', args: '{"b":true}' },
      { id: 3, tool: 'echo', args: '{"c":true}' },
    ]);
  });

  it('hand over prototypes: __proto__ in arguments is data, and nothing inherits from it', async () => {
    const code = `return await tools.echo(JSON.parse('{"__proto__": {"admin": true}, "constructor": {"prototype": {"x": 1}}}'))`;
    const value = await resultOf(code);
    expect(value.admin).toBeUndefined();
    expect(({} as { x?: number; admin?: boolean }).admin).toBeUndefined();
    expect(({} as { x?: number }).x).toBeUndefined();
  });

  it('learn of the host from its errors', async () => {
    const code = `
      const errors = [];
      const tries = [() => null.x, () => tools.echo(1n), () => JSON.parse('{'), () => import('x'), () => eval('('),
        () => 'x'.repeat(2 ** 30), () => new Array(-1), () => tools.failing({})];
      for (const one of tries) { try { await one() } catch (error) { errors.push(error) } }
      const text = errors.map((error) => [error.message, error.stack, Object.getPrototypeOf(error) === Error.prototype || error instanceof Error].join());
      return { count: errors.length, all: errors.every((error) => error instanceof Error), text: text.join('\\n') };`;
    const value = await resultOf(code);
    expect(value).toMatchObject({ count: 8, all: true });
    expect(value.text).not.toMatch(/node:|node_modules|file:|\/src\/|\.js:|worker|wasm/i);
  });

  it('recurse for ever, by whatever means', { timeout: 60_000 }, async () => {
    const bombs = [
      'const f = () => f() + 1; f()',
      "const o = { toString: () => '' + o }; String(o)",
      'JSON.parse("[".repeat(500_000))',
      'let o = []; for (let i = 0; i < 200_000; i++) o = [o]; JSON.stringify(o)',
      'eval("(".repeat(200_000))',
      'let p = {}; for (let i = 0; i < 100_000; i++) p = new Proxy(p, {}); p.x',
      'function* g() { yield* g() } g().next()',
      'const a = []; a.push(a); a.flat(Infinity)',
      'class A { constructor() { new A() } } new A()',
      'new RegExp("(?:".repeat(100_000) + ")".repeat(100_000))',
      `${'('.repeat(50_000)}1${')'.repeat(50_000)}`,
    ];
    for (const bomb of bombs) {
      const state = await stateOf(`${bomb}; return 'through'`, { time: 3000 });
      expect(['threw', 'stopped'], bomb.slice(0, 60)).toContain(state.kind);
    }
    // What recursed too deeply can be caught, and the code goes on.
    expect(await resultOf('const f = () => f() + 1; try { f() } catch (error) { return error.name }')).toBe(
      'RangeError',
    );
  });
});

describe('limits', () => {
  const endless = [
    'for (;;) {}',
    'for (;;) { try { for (;;) {} } catch {} finally {} }',
    'const again = () => Promise.resolve().then(again); await again(); await new Promise(() => {})',
    'const bomb = () => { for (let i = 0; i < 10; i++) Promise.resolve().then(bomb) }; bomb(); await new Promise(() => {})',
    'for (;;) { try { await (async () => { for (;;) {} })() } catch {} }',
    '/(?:(?:a+)+)+b/.test("a".repeat(50))',
    'Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)',
    'new Array(2 ** 28).join("x")',
    'Error.prototype.toString = () => { for (;;) {} }; for (;;) {}',
    'return { toJSON() { for (;;) {} } }',
    'for (;;) console.log("x")',
  ];

  it('of time end what runs for ever, whatever it does', async () => {
    await withEngine(
      function* (engine) {
        for (const code of endless) {
          const { state } = yield* scoped(() => outcomeOf(engine, code));
          expect(state, code).toEqual({ kind: 'stopped', why: 'time' });
        }
      },
      { time: 50 },
    );
  });

  it('of time end what runs for ever, within 10 %', { timeout: 120_000, tags: 'long' }, async () => {
    const time = 400;
    await withEngine(
      function* (engine) {
        for (const code of endless) {
          let least = Number.POSITIVE_INFINITY;
          // A machine that is busy with something else stops late: the best of a few is what the limit does.
          for (let round = 0; round < 8 && least > time * 1.1; round++) {
            // A thread that is warm: what is measured is the code.
            yield* scoped(() => outcomeOf(engine, 'return 1'));
            const { state, spent } = yield* scoped(() => outcomeOf(engine, code));
            expect(state, code).toEqual({ kind: 'stopped', why: 'time' });
            expect(spent, code).toBeGreaterThanOrEqual(time * 0.9);
            least = Math.min(least, spent);
          }
          expect(least, code).toBeLessThanOrEqual(time * 1.1);
        }
      },
      { time },
    );
  });

  it('of time do not count what the code waits for', async () => {
    await withEngine(
      function* (engine) {
        const sandbox = yield* engine.useSandbox();
        const first = yield* sandbox.turn({ kind: 'run', code: 'return await tools.ask({})' });
        expect(first.state).toEqual({ kind: 'waits' });
        const { promise, resolve } = Promise.withResolvers<void>();
        setTimeout(resolve, 1_100);
        yield* until(promise);
        const [request] = first.requests;
        const last = yield* sandbox.turn({
          kind: 'settle',
          settled: [{ id: request?.id ?? 0, ok: true, json: '"yes"' }],
        });
        expect(last.state).toEqual({ kind: 'returned', json: '"yes"' });
      },
      { time: 1_000 },
    );
  });

  it('of memory are kept within 10 %, whatever it is taken with', { timeout: 60_000 }, async () => {
    const memory = 16 * 1024 * 1024;
    const before = process.memoryUsage().rss;
    const buffers = `let n = 0; const all = []; try { for (;;) { all.push(new ArrayBuffer(65536)); n += 65536 } } catch { all.length = 0; return n }`;
    const strings = `let n = 0; const all = []; try { for (;;) { all.push('x'.repeat(65536) + n); n += 65536 } } catch { all.length = 0; return n }`;
    for (const code of [buffers, strings]) {
      const taken = await resultOf(code, { memory });
      expect(taken).toBeGreaterThan(memory * 0.9);
      expect(taken).toBeLessThan(memory * 1.1);
    }
    const bombs = [
      'const all = []; for (;;) all.push({})',
      'return "x".repeat(2 ** 30 - 2).length',
      'let s = "x"; for (;;) s += s',
      'return new ArrayBuffer(2 ** 31).byteLength',
      'return new Array(2 ** 32 - 1).fill(0).length',
      'let f = () => 1; for (;;) f = f.bind()',
      'const m = new Map(); for (let i = 0; ; i++) m.set(i, i)',
      'return "x".repeat(2 ** 23).split("").length',
    ];
    for (const code of bombs) {
      const { kind } = await stateOf(code, { memory, time: 5000 });
      expect(['stopped', 'threw'], code).toContain(kind);
    }
    // What other files of this process have taken is not theirs.
    expect(process.memoryUsage().rss - before).toBeLessThan(2 ** 29);
  });

  it('of calls, of their arguments and of the result are told to the code', async () => {
    const many = `const got = []; for (let i = 0; i < 12; i++) { try { got.push(await tools.echo({ i })) } catch (error) { got.push(error.message) } } return got`;
    const got = await resultOf(many, { calls: 10 });
    expect(got.slice(0, 10)).toEqual(Array.from({ length: 10 }, (_, i) => ({ i })));
    expect(got[10]).toContain('10 calls are the maximum');
    const long = `try { await tools.echo({ text: 'x'.repeat(2000) }) } catch (error) { return error.message }`;
    expect(await resultOf(long, { argument: 1000 })).toContain('1000 are the maximum');
    expect(await stateOf('return "x".repeat(2000)', { result: 1000 })).toMatchObject({
      kind: 'threw',
      message: expect.stringContaining('Return less'),
    });
  });

  it('of how much runs at once: one more is refused, and has its turn when another is done', async () => {
    await withEngine(function* (engine) {
      yield* scoped(function* () {
        for (let n = 0; n < 16; n++) {
          const sandbox = yield* engine.useSandbox();
          if (n === 0) yield* sandbox.turn({ kind: 'run', code: 'await tools.ask({})' });
        }
        let refused = '';
        try {
          yield* scoped(() => engine.useSandbox());
        } catch (error) {
          refused = (error as Error).message;
        }
        expect(refused).toContain('16 runs of code are already active');
      });
      const { state } = yield* outcomeOf(engine, 'return 1');
      expect(state).toEqual({ kind: 'returned', json: '1' });
    });
  });

  it('of how much waits: two who have their share leave room for others, and the oldest of who has most says why it ends', async () => {
    await withEngine(function* (engine) {
      const ended: string[] = [];
      const waits = (who: string) =>
        spawn(function* () {
          try {
            yield* scoped(function* () {
              const sandbox = yield* engine.useSandbox(who);
              yield* sandbox.turn({ kind: 'run', code: 'await tools.ask({})' });
              waiting.push(who);
              yield* suspend();
            });
          } catch (error) {
            ended.push(`${who}: ${(error as Error).message}`);
          }
        });
      const waiting: string[] = [];
      for (const who of ['bob', 'eve'])
        for (let n = 1; n <= 16; n++) {
          yield* waits(who);
          yield* until(vi.waitFor(() => expect(waiting.filter((one) => one === who)).toHaveLength(n)));
        }
      yield* waits('bob');
      yield* until(vi.waitFor(() => expect(ended).toHaveLength(1)));
      expect(ended[0]).toContain('bob: 16 runs of code are already active');
      const sandbox = yield* engine.useSandbox('ada');
      const { state } = yield* sandbox.turn({ kind: 'run', code: 'return 1 + 1' });
      expect(state).toEqual({ kind: 'returned', json: '2' });
      yield* until(vi.waitFor(() => expect(ended).toHaveLength(2)));
      expect(ended[1]).toMatch(/^(bob|eve): The code was ended while it waited for the user/);
    });
  });
});
