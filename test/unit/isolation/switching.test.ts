import { run, scoped, sleep } from 'effection';
import { expect, it } from 'vitest';
import { useSwitchingRealm } from '../../../src/isolation/host-side/switching-realm.ts';
import { useWorkers } from '../../../src/isolation/host-side/use-workers.ts';
import { drive } from '../../../src/runtime/drive/drive.ts';
import { createSessionManager } from '../../../src/runtime/manager/session-manager.ts';
import { createMockMcpClient } from '../../../src/testing/index.ts';
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
      const asked = yield* there.nextEvent();
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
