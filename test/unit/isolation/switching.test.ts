import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Operation, run, scoped, sleep, until } from 'effection';
import { expect, it } from 'vitest';
import type { AnyTool } from '#src/core/tool/tool.ts';
import { useSwitchingRealm } from '#src/isolation/host-side/realms/switching-realm.ts';
import { useWorkers } from '#src/isolation/host-side/realms/use-workers.ts';
import { drive } from '#src/runtime/drive/drive.ts';
import { createSessionManager } from '#src/runtime/manager/session-manager.ts';
import { createMockMcpClient } from '#src/testing/index.ts';
import { exportedTools } from '#src/workspace/load/exported-tools.ts';
import { tempFolder } from '#test/temp-folder.ts';
import { endOf } from '../runtime/session-kit.ts';
import { source, useRemoteKit } from './remote-kit.ts';

const CODE = `
  const { isMainThread } = require('node:worker_threads');
  if (params.ask) yield* ctx.elicit('seat', { message: 'Which?' });
  return isMainThread ? 'host' : 'worker';`;

it('a call finishes where it began, and the next one runs where the setting says', { timeout: 60_000 }, () =>
  run(() =>
    scoped(function* () {
      const kit = yield* useRemoteKit('worker');
      let isolation: 'host' | 'worker' = 'worker';
      const realm = yield* useSwitchingRealm(() => isolation, kit.maker)(kit.options);
      const manager = yield* createSessionManager();
      const load = () => kit.tool(source(CODE), realm);

      const there = yield* manager.create({ tool: yield* load(), params: { ask: true } });
      const asked = yield* there.nextEvent(0);
      isolation = 'host';
      const here = yield* manager.create({ tool: yield* load(), params: {} });
      expect(yield* endOf(here)).toMatchObject({ value: 'host' });
      expect(asked).toMatchObject({ type: 'elicit_request' });
      there.respondToElicit('elicit-1', { action: 'accept', content: { row: 3 } });
      expect(yield* endOf(there)).toMatchObject({ value: 'worker' });
      while (kit.alive() > 0) yield* sleep(20);

      isolation = 'worker';
      const again = yield* manager.create({ tool: yield* load(), params: {} });
      expect(yield* drive(again, createMockMcpClient(), 'end')).toMatchObject({ value: 'worker' });
    }),
  ),
);

it('no worker outlives whoever uses workers', { timeout: 60_000 }, () =>
  run(function* () {
    const { entry } = yield* useRemoteKit('worker');
    const link = yield* scoped(function* () {
      const workers = yield* useWorkers({ entry: entry ?? '', diagnose() {} });
      return workers.launch('left behind');
    });
    const ended: unknown[] = [];
    void link.ended.then((end) => ended.push(end));
    while (ended.length === 0) yield* sleep(10);
    expect(ended).toEqual([{ kind: 'terminated' }]);
  }),
);

it(
  'a file that says so shares the thread of the sessions, and leaves it when it says so no more',
  {
    timeout: 60_000,
  },
  () =>
    run(() =>
      scoped(function* () {
        const kit = yield* useRemoteKit('worker');
        const realm = yield* useSwitchingRealm(() => 'worker', kit.maker)(kit.options);
        const manager = yield* createSessionManager();
        const folder = tempFolder();
        function* runsIn(says: string): Operation<unknown> {
          const text = `${source(CODE)}\n${says}\n`;
          yield* until(writeFile(join(folder, 'tool.ts'), text));
          const [loaded] = (yield* kit.load({ 'tool.ts': text }, realm, folder)).values();
          if (loaded?.kind !== 'loaded') throw loaded?.error;
          const [tool] = exportedTools(loaded.exports);
          const session = yield* manager.create({ tool: tool as AnyTool, params: {} });
          return yield* drive(session, createMockMcpClient(), 'end');
        }
        expect(yield* runsIn(`export const isolation = 'host';`)).toMatchObject({ value: 'host' });
        expect(yield* runsIn(`// export const isolation = 'host';`)).toMatchObject({ value: 'worker' });
        expect(yield* runsIn(`export const isolation = "host" as const`)).toMatchObject({ value: 'host' });
        while (kit.alive() > 0) yield* sleep(20);
      }),
    ),
);

it('a spare worker is there before it is asked for, and none is left behind', { timeout: 60_000 }, () =>
  run(function* () {
    const folder = tempFolder();
    const entry = join(folder, 'entry.mjs');
    const started = join(folder, 'started');
    const lines = () => (existsSync(started) ? readFileSync(started, 'utf8').length : 0);
    const code = `import { workerData } from 'node:worker_threads';
      import { appendFileSync } from 'node:fs';
      appendFileSync(${JSON.stringify(started)}, 'x');
      workerData.port.on('message', (text) => workerData.port.postMessage(text));`;
    yield* until(writeFile(entry, code));
    const ends = yield* scoped(function* () {
      const workers = yield* useWorkers({ entry, diagnose() {} });
      const first = workers.launch('first');
      while (lines() < 2) yield* sleep(10);
      const second = workers.launch('second');
      const { promise: heard, resolve } = Promise.withResolvers<unknown>();
      second.listen(resolve);
      second.send('hello');
      expect(yield* until(heard)).toBe('hello');
      expect(lines()).toBe(2);
      while (lines() < 3) yield* sleep(10);
      return [first.ended, second.ended];
    });
    expect(yield* until(Promise.all(ends))).toEqual([{ kind: 'terminated' }, { kind: 'terminated' }]);
  }),
);

it(
  'a file that the person has neither run nor edited runs in a worker, whatever it or the setting says',
  {
    timeout: 60_000,
  },
  () =>
    run(() =>
      scoped(function* () {
        const kit = yield* useRemoteKit('worker');
        const realm = yield* useSwitchingRealm(() => 'host', kit.maker)(kit.options);
        const manager = yield* createSessionManager();
        function* loadedWith(vouched: ReadonlySet<string>) {
          const files = yield* kit.load(
            { 'tool.ts': source(CODE) },
            {
              load: (input) => realm.load({ ...input, vouched }),
            },
          );
          const loaded = files.get('/tools/tool.ts');
          if (loaded?.kind !== 'loaded') throw loaded?.error;
          const [tool] = exportedTools(loaded.exports);
          const session = yield* manager.create({ tool: tool as AnyTool, params: {} });
          const end = yield* drive(session, createMockMcpClient(), 'end');
          return { displaced: loaded.displaced ?? false, end };
        }
        expect(yield* loadedWith(new Set())).toMatchObject({ displaced: true, end: { value: 'worker' } });
        expect(yield* loadedWith(new Set(['/tools/tool.ts']))).toMatchObject({
          displaced: false,
          end: { value: 'host' },
        });
      }),
    ),
);
