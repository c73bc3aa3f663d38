import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Operation, race, run, scoped, sleep, until } from 'effection';
import { describe, expect, it } from 'vitest';
import type { WatchLimits } from '#src/isolation/host-side/watch.ts';
import { drive } from '#src/runtime/drive/drive.ts';
import type { SessionManager } from '#src/runtime/manager/manager.ts';
import { createSessionManager } from '#src/runtime/manager/session-manager.ts';
import type { Client } from '#src/runtime/session/client.ts';
import type { Session } from '#src/runtime/session/session.ts';
import { createMockMcpClient, type MockMcpClientOptions } from '#src/testing/index.ts';
import { exportedTools } from '#src/workspace/load/exported-tools.ts';
import { type RemoteKit, source, useRemoteKit } from './remote-kit.ts';

interface Rig extends RemoteKit {
  readonly manager: SessionManager;
  /** Starts the tool of a file of the last load. */
  start(code: string): Operation<Session>;
}

/** A worker whose limits are short; a machine that is busy is given its time all the same. */
const SHORT = { interval: 200, silence: () => 6_000, loading: 8_000, grace: 3_000 };

const withWorkers =
  (body: (rig: Rig) => Operation<void>, limits: Partial<WatchLimits> = {}) =>
  () =>
    run(() =>
      scoped(function* () {
        const kit = yield* useRemoteKit('worker', limits);
        const manager = yield* createSessionManager();
        yield* body({
          ...kit,
          manager,
          *start(code) {
            const tool = yield* kit.tool(source(code));
            return yield* manager.create({ tool, params: {} });
          },
        });
      }),
    );

const person = (options: MockMcpClientOptions = {}): Client => createMockMcpClient(options);

/** Waits until a condition holds; a test that waits for ever fails by its time-out. */
function* eventually(holds: () => boolean): Operation<void> {
  while (!holds()) yield* sleep(20);
}

const LOOP = 'for (;;);';
/** Holds its thread as a loop does, and costs nothing. */
const HOLD = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);';
const TIMEOUT = 60_000;

describe('a tool in a worker', { timeout: TIMEOUT }, () => {
  it(
    'that loops for ever is ended, says so, and starts afresh; another answers meanwhile',
    { tags: 'long' },
    withWorkers(function* ({ manager, load, alive }) {
      const files = yield* load({
        'bad.ts': source(`if (params.loop) { ${LOOP} } return 'fine';`),
        'good.ts': source(`return (yield* ctx.elicit('seat', { message: 'Which?' })).content;`),
      });
      const [bad, good] = [...files.values()].map((file) => {
        if (file.kind === 'threw') throw file.error;
        return exportedTools(file.exports)[0] as never;
      });
      const stuck = yield* manager.create({ tool: bad as never, params: { loop: true } });
      const asking = yield* manager.create({ tool: good as never, params: {} });
      const answered = yield* drive(
        asking,
        person({ elicitResponses: [{ action: 'accept', content: { row: 3 } }] }),
        'end',
      );
      expect(answered).toMatchObject({ type: 'result', value: { row: 3 } });
      expect(stuck.ended()).toBeUndefined();
      expect(yield* drive(stuck, person(), 'end')).toMatchObject({
        type: 'error',
        error: {
          code: 'TOOL_STUCK',
          message: expect.stringContaining("'probe' was ended: its code did not pause for 6 s"),
          details: { toolName: 'probe', file: '/tools/bad.ts' },
        },
      });
      yield* eventually(() => alive() === 1);
      const again = yield* manager.create({ tool: bad as never, params: {} });
      expect(yield* drive(again, person(), 'end')).toMatchObject({ type: 'result', value: 'fine' });
    }, SHORT),
  );

  it('that holds its thread already is given the time that somebody has set meanwhile', () =>
    run(() =>
      scoped(function* () {
        let silence = 600_000;
        const { tool } = yield* useRemoteKit('worker', { ...SHORT, silence: () => silence });
        const manager = yield* createSessionManager();
        const stuck = yield* manager.create({
          tool: yield* tool(source(`yield* ctx.log('info', 'in'); ${HOLD}`)),
          params: {},
        });
        while ((yield* stuck.nextEvent(stuck.events().at(-1)?.at ?? 0)).type !== 'log');
        silence = 2_000;
        expect(yield* drive(stuck, person(), 'end')).toMatchObject({
          error: { code: 'TOOL_STUCK', details: { silence: 2_000 } },
        });
      }),
    ));

  it('that holds its thread and is stopped is ended after the grace', () =>
    run(() =>
      scoped(function* () {
        const { tool, alive } = yield* useRemoteKit('worker', { ...SHORT, grace: 500 });
        const manager = yield* createSessionManager();
        const held = yield* tool(source(`yield* ctx.log('info', 'in'); ${HOLD}`));
        const session = yield* manager.create({ tool: held, params: {} });
        yield* session.nextEvent(0);
        yield* session.abort('stopped');
        expect(session.ended()).toMatchObject({ type: 'aborted', reason: 'stopped' });
        yield* eventually(() => alive() === 0);
      }),
    ));

  it.each([
    ['process.exit', 'process.exit(3);', 'it called process.exit(3)'],
    [
      'an error outside of everything',
      `setTimeout(() => { throw new TypeError('loose'); }); yield* suspend();`,
      'an error that nothing caught: TypeError: loose',
    ],
    ['a rejection that nobody handles', `void Promise.reject(new Error('lost')); yield* suspend();`, 'lost'],
  ])('that is ended by %s says so', (_name, code, message) =>
    withWorkers(function* ({ start }) {
      const session = yield* start(code);
      expect(yield* drive(session, person(), 'end')).toMatchObject({
        type: 'error',
        error: { code: 'TOOL_CRASHED', message: expect.stringContaining(message) },
      });
    })(),
  );

  it(
    'cannot keep the tools of other files from being found, whatever its file leaves behind',
    withWorkers(function* ({ load, manager, alive }) {
      const files = yield* load({
        'first.ts': source(`return 'first';`),
        'freezes.ts': `Object.freeze(Object.prototype);\n${source(`return 'freezes';`)}`,
        'names.ts': `class Own { toString() { return 'own'; } }\nOwn.prototype.valueOf = () => 1;\n${source(`return 'names';`)}`,
        'breaks.ts': `Array.prototype.map = () => { throw new Error('no map'); };\nthrow new Error('its own');`,
        'lists.ts': `const seen = [1, 2].map((n) => n + 1);\n${source(`return seen;`)}`,
        'own.ts': `throw new Error('own fault');`,
      });
      const ends: unknown[] = [];
      for (const [file, loaded] of files) {
        if (loaded.kind === 'threw') {
          ends.push([file, String(loaded.error)]);
          continue;
        }
        const tool = exportedTools(loaded.exports)[0] as never;
        const session = yield* manager.create({ tool, params: {} });
        ends.push([file, yield* drive(session, person(), 'end')]);
      }
      expect(ends).toEqual([
        ['/tools/first.ts', expect.objectContaining({ value: 'first' })],
        ['/tools/freezes.ts', expect.objectContaining({ value: 'freezes' })],
        ['/tools/names.ts', expect.objectContaining({ value: 'names' })],
        ['/tools/breaks.ts', 'Error: its own'],
        ['/tools/lists.ts', expect.objectContaining({ value: [2, 3] })],
        ['/tools/own.ts', 'Error: own fault'],
      ]);
      yield* load({});
      yield* eventually(() => alive() === 0);
    }),
  );

  it(
    'whose file was loaded once more without another one leaves no worker behind for that',
    withWorkers(function* ({ load, alive }) {
      const files = yield* load({
        'breaks.ts': `Array.prototype.findLastIndex = () => { throw new Error('it is gone'); };\n${source(`return 1;`)}`,
        'lists.ts': `const seen = [1, 2].findLastIndex((n) => n > 1);\n${source(`return seen;`)}`,
      });
      expect([...files.values()].map(({ kind }) => kind)).toEqual(['loaded', 'loaded']);
      yield* eventually(() => alive() === 0);
    }),
  );

  it(
    'that leaves timers behind takes them along when it is replaced',
    withWorkers(function* ({ start, load, alive }) {
      const session = yield* start(`setInterval(() => {}, 1); return 'done';`);
      expect(yield* drive(session, person(), 'end')).toMatchObject({ value: 'done' });
      expect(alive()).toBe(1);
      yield* load({});
      yield* eventually(() => alive() === 0);
    }),
  );

  it(
    'is halted: its cleanup runs, may log nothing, ask nothing, and is waited for',
    withWorkers(function* ({ start }) {
      const file = join(tmpdir(), `parley-cleanup-${process.pid}`);
      const session = yield* start(`
        const { appendFileSync } = process.getBuiltinModule('node:fs');
        yield* ensure(function* () {
          yield* sleep(50);
          try { yield* ctx.elicit('seat', { message: 'Now?' }); } catch (error) { appendFileSync(${JSON.stringify(file)}, error.code); }
        });
        yield* ctx.log('info', 'up');
        yield* ctx.elicit('seat', { message: 'Which?' });`);
      const { readFile, rm } = yield* until(import('node:fs/promises'));
      while ((yield* session.nextEvent(session.events().at(-1)?.at ?? 0)).type !== 'elicit_request');
      yield* session.abort();
      expect(yield* until(readFile(file, 'utf8'))).toBe('CALL_ENDED');
      yield* until(rm(file));
      expect(session.events().map(({ type }) => type)).toEqual([
        'log',
        'elicit_request',
        'ask_closed',
        'aborted',
      ]);
    }),
  );

  it(
    'cannot flood whoever listens',
    withWorkers(function* ({ start }) {
      const session = yield* start(`for (let n = 0; ; n++) yield* ctx.log('info', 'line ' + n);`);
      const seen = () => session.events().at(-1)?.at ?? 0;
      yield* eventually(() => seen() > 500);
      yield* session.abort();
      const last = seen();
      yield* sleep(50);
      expect(seen()).toBe(last);
    }),
  );

  it(
    'logs from many branches at once, and loses nothing',
    withWorkers(function* ({ start }) {
      const session = yield* start(`
        const logs = function* (b) { for (let n = 0; n < 100; n++) yield* ctx.log('info', b + '/' + n); };
        const branches = [];
        for (let b = 0; b < 20; b++) branches.push(yield* spawn(() => logs(b)));
        for (const branch of branches) yield* branch;
        return 'done';`);
      let logs = 0;
      session.subscribe(({ type }) => {
        if (type === 'log') logs += 1;
      });
      expect(yield* drive(session, person(), 'end')).toMatchObject({ value: 'done' });
      expect(logs).toBe(2000);
    }),
  );

  it.each([
    ['JSON.stringify', `JSON.stringify = () => 'broken'; JSON.parse = () => 7;`],
    ['nothing that messages need', `Array.prototype.toString = () => 'broken';`],
  ])('that replaces %s harms nobody', (_what, code) =>
    withWorkers(function* ({ start, diagnostics }) {
      const session = yield* start(
        `${code} return (yield* ctx.elicit('seat', { message: 'Which?' })).content;`,
      );
      const row = { action: 'accept', content: { row: 3 } } as const;
      expect(yield* drive(session, person({ elicitResponses: [row] }), 'end')).toMatchObject({
        value: { row: 3 },
      });
      expect(diagnostics).toEqual([]);
    })(),
  );

  it(
    'whose messages cannot be read any more is ended, and starts afresh',
    withWorkers(function* ({ manager, tool, diagnostics, alive }) {
      const broken = yield* tool(
        source(`if (!params.broken) return 'fine';
          Object.prototype.toJSON = () => 'broken';
          for (let n = 0; n < 1000; n++) yield* ctx.log('info', 'line');`),
      );
      const session = yield* manager.create({ tool: broken, params: { broken: true } });
      expect(yield* drive(session, person(), 'end')).toMatchObject({
        type: 'error',
        error: { code: 'TOOL_CRASHED', message: expect.stringContaining('sends what cannot be read') },
      });
      expect(diagnostics).toHaveLength(3);
      yield* eventually(() => alive() === 0);
      const again = yield* manager.create({ tool: broken, params: {} });
      expect(yield* drive(again, person(), 'end')).toMatchObject({ value: 'fine' });
    }),
  );

  it(
    'goes on with the version it began with; the next call gets the new one',
    withWorkers(function* ({ manager, start, tool, alive }) {
      const old = yield* start(`yield* ctx.elicit('seat', { message: 'Which?' }); return 'old';`);
      yield* old.nextEvent(0);
      const replaced = yield* tool(source(`return 'new';`));
      const fresh = yield* manager.create({ tool: replaced, params: {} });
      expect(yield* drive(fresh, person(), 'end')).toMatchObject({ value: 'new' });
      const row = { action: 'accept', content: { row: 1 } } as const;
      expect(yield* drive(old, person({ elicitResponses: [row] }), 'end')).toMatchObject({ value: 'old' });
      yield* eventually(() => alive() === 1);
    }),
  );
});

describe('a file that is loaded for its tools', { timeout: TIMEOUT }, () => {
  it.each([
    ['throws', `throw new Error('at import');`, 'at import'],
    ['calls process.exit', 'process.exit(9);', 'process.exit(9)'],
    ['holds its thread for ever', HOLD, 'has not paused'],
  ])('and %s costs no other file its tools', (_name, code, message) =>
    withWorkers(function* ({ load, alive }) {
      const files = yield* load({
        'a.ts': source(`return 'a';`),
        'b.ts': code,
        'c.ts': source(`return 'c';`),
      });
      expect(files.get('/tools/a.ts')?.kind).toBe('loaded');
      expect(files.get('/tools/c.ts')?.kind).toBe('loaded');
      const bad = files.get('/tools/b.ts');
      expect(bad?.kind === 'threw' && String(bad.error)).toContain(message);
      // What was only looked at runs no longer.
      yield* eventually(() => alive() === 0);
    }, SHORT)(),
  );

  it('takes its time where whoever waits for it was held up', () =>
    run(() =>
      scoped(function* () {
        // One thing is heard in a turn of the event loop, and each turn takes longer than a file may.
        const turns: (() => void)[] = [];
        const next = (): void => {
          turns[0]?.();
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60);
          turns.shift();
          if (turns.length > 0) setImmediate(next);
        };
        const { load } = yield* useRemoteKit('linked', { interval: 5, loading: 50 }, (deliver) => {
          if (turns.push(deliver) === 1) setImmediate(next);
        });
        const files = yield* load({ 'a.ts': source(''), 'b.ts': source('') });
        expect([...files.values()].map(({ kind }) => kind)).toEqual(['loaded', 'loaded']);
      }),
    ));

  it(
    'runs once when it is the only one: its first call is where it was described',
    withWorkers(function* ({ start, started, load, alive }) {
      const file = join(tmpdir(), `parley-ran-${process.pid}`);
      const ran = `process.getBuiltinModule('node:fs').appendFileSync(${JSON.stringify(file)}, 'x');`;
      const { readFile, rm } = yield* until(import('node:fs/promises'));
      const session = yield* start(`return 'done'; } ); ${ran} void (function* () {`);
      expect(yield* drive(session, person(), 'end')).toMatchObject({ value: 'done' });
      expect(yield* until(readFile(file, 'utf8'))).toBe('x');
      expect(started()).toBe(1);
      yield* until(rm(file));
      yield* load({});
      yield* eventually(() => alive() === 0);
    }),
  );

  it(
    'is not run again while it is the same, and its tools stay the same',
    withWorkers(function* ({ load, started }) {
      const files = { 'a.ts': source(`return 'a';`), 'b.ts': source(`return 'b';`) };
      const before = yield* load(files);
      const launches = started();
      const after = yield* load({ ...files, 'b.ts': source(`return 'changed';`) });
      expect(started()).toBe(launches + 1);
      expect(after.get('/tools/a.ts')).toEqual({ ...before.get('/tools/a.ts'), changed: false });
      expect(after.get('/tools/b.ts')).toMatchObject({ kind: 'loaded', changed: true });
    }),
  );
});

describe('calls that nobody waits for', { timeout: TIMEOUT }, () => {
  it(
    'are ended with their manager, and leave no worker behind',
    withWorkers(function* ({ tool, load, alive }) {
      const waiting = yield* tool(source(`yield* ctx.log('info', 'up'); yield* suspend();`));
      yield* scoped(function* () {
        const manager = yield* createSessionManager();
        const session = yield* manager.create({ tool: waiting, params: {} });
        yield* race([session.nextEvent(0), sleep(TIMEOUT)]);
      });
      yield* load({});
      yield* eventually(() => alive() === 0);
    }),
  );
});
