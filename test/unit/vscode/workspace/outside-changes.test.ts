import { createSignal, type Operation, run, scoped, sleep, spawn, until, withResolvers } from 'effection';
import { describe, expect, it, vi } from 'vitest';
import type { LoadOrder, OutsideChange } from '#src/workspace/load/held-files.ts';

const shown: string[] = [];
const answers: Array<(pressed: string | undefined) => void> = [];
const ask = (...said: string[]) => {
  shown.push(said.join(' | '));
  return new Promise((resolve) => answers.push(resolve));
};
vi.mock('vscode', () => ({
  l10n: {
    t: (text: string, ...args: string[]) => text.replace(/\{(\d)\}/g, (_, at) => args[Number(at)] ?? ''),
  },
  Uri: { file: (path: string) => ({ path }), from: (parts: object) => parts },
  workspace: {
    asRelativePath: (path: string) => path.slice(1),
    registerTextDocumentContentProvider: () => ({ dispose() {} }),
  },
  commands: { executeCommand: async (...args: unknown[]) => void shown.push(JSON.stringify(args)) },
  window: {
    showWarningMessage: ask,
    // One that stays while the difference is read.
    showErrorMessage: (...said: string[]) => ask('stays', ...said),
  },
}));
const { askAboutOutsideChanges } = await import('#src/vscode/authoring/workspace/outside-changes.ts');

const change = (file: string, print = '1'): OutsideChange => ({ file, print, before: 'before' });

/** A folder with changes that nobody has allowed. */
function* folder() {
  const loads = createSignal<void, never>();
  const orders: LoadOrder[] = [];
  const waiting: OutsideChange[] = [];
  shown.length = 0;
  answers.length = 0;
  const load = (...changes: readonly OutsideChange[]) => {
    waiting.splice(0, waiting.length, ...changes);
    loads.send();
  };
  let settled: Operation<void> = sleep(0);
  const tools = {
    outside: () => [...waiting],
    settled: () => settled,
    *reload(order: LoadOrder = {}): Operation<never> {
      orders.push(order);
      load();
      return undefined as never;
    },
  };
  const asking = yield* spawn(() => askAboutOutsideChanges('demo', tools, loads));
  yield* sleep(0);
  return {
    orders,
    asking,
    load,
    /** The next load is under way; what comes back ends it. */
    begin() {
      const { operation, resolve } = withResolvers<void>();
      settled = operation;
      return resolve;
    },
    /** Answers the question that comes next. */
    *press(label: string | undefined) {
      yield* until(vi.waitFor(() => expect(answers).not.toEqual([])));
      answers.shift()?.(label);
    },
  };
}

describe('changes made outside this editor', () => {
  it('are one question for all of a burst, and run once as they were shown', () =>
    run(() =>
      scoped(function* () {
        const { load, press, orders } = yield* folder();
        load(change('/a.ts'));
        load(change('/a.ts'), change('/b.ts'));
        yield* press('Show Changes');
        yield* press('Once');
        yield* until(vi.waitFor(() => expect(orders).not.toEqual([])));
        expect(shown).toEqual([
          expect.stringMatching(
            /^Tools in “demo” were changed outside this editor.+: a\.ts, b\.ts \| Show Changes \| Never$/,
          ),
          expect.stringMatching(/^\["vscode\.changes",.+\/a\.ts.+\/b\.ts/),
          'stays | Run changes made outside this editor? | Once | Until the Window Closes | Never',
        ]);
        expect(orders).toEqual([
          {
            allowed: new Map([
              ['/a.ts', '1'],
              ['/b.ts', '1'],
            ]),
            changed: new Set(),
          },
        ]);
      }),
    ));

  it('are no question where the save that explains them is still loading', () =>
    run(() =>
      scoped(function* () {
        const { load, begin, press } = yield* folder();
        const end = begin();
        load(change('/a.ts'));
        // That nothing is asked takes as long as asking would: longer than a burst.
        yield* sleep(500);
        expect(shown).toEqual([]);
        load(change('/b.ts'));
        end();
        yield* press('Never');
        expect(shown).toEqual([expect.stringContaining(': b.ts |')]);
      }),
    ));

  it('are asked about again only when there are others, and never again where that is the answer', () =>
    run(() =>
      scoped(function* () {
        const { load, press, orders, asking } = yield* folder();
        load(change('/a.ts'));
        yield* press(undefined);
        load(change('/a.ts'));
        load(change('/a.ts', '2'));
        yield* press('Show Changes');
        yield* press('Until the Window Closes');
        yield* until(vi.waitFor(() => expect(orders).toEqual([{ trust: true, changed: new Set() }])));
        load(change('/a.ts', '3'));
        yield* press('Never');
        yield* asking;
        expect(shown.filter((text) => text.startsWith('Tools in'))).toHaveLength(3);
      }),
    ));
});
