import { describe, expect, test } from 'vitest';
import { runLanes, type Step } from '#test/harness/lanes.ts';
import { lanesOf } from '#test/harness/stages.ts';

interface Named extends Step {
  readonly name: string;
}

/** Steps that end when they are told to, and the names of those that have begun. */
function handRun() {
  const begun: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<void>>();
  return {
    begun,
    run: ({ name }: Named) => {
      begun.push(name);
      const end = Promise.withResolvers<void>();
      ends.set(name, end);
      return end.promise;
    },
    async end(name: string, failed?: Error): Promise<void> {
      if (failed) ends.get(name)?.reject(failed);
      else ends.get(name)?.resolve();
      await new Promise(setImmediate);
    },
  };
}

describe('lanes', () => {
  const build: Named = { name: 'build' };
  const windows: Named = { name: 'windows' };
  const types: Named = { name: 'types' };
  const unit: Named = { name: 'unit', needs: build };

  test('run side by side, and the steps of one in order', async () => {
    const { begun, run, end } = handRun();
    const ended = runLanes([[build, windows], [types]], run);
    expect(begun).toEqual(['build', 'types']);
    await end('build');
    expect(begun).toEqual(['build', 'types', 'windows']);
    await end('windows');
    await end('types');
    await ended;
  });

  test('wait for what a step needs in another lane', async () => {
    const { begun, run, end } = handRun();
    const ended = runLanes([[build], [types, unit]], run);
    await end('types');
    expect(begun).toEqual(['build', 'types']);
    await end('build');
    expect(begun).toEqual(['build', 'types', 'unit']);
    await end('unit');
    await ended;
  });

  test('wait for nothing that is not run', async () => {
    const { begun, run, end } = handRun();
    const ended = runLanes([[], [unit]], run);
    expect(begun).toEqual(['unit']);
    await end('unit');
    await ended;
  });

  test('say what broke, once the others have ended', async () => {
    const { begun, run, end } = handRun();
    const ended = runLanes([[build], [types, unit]], run);
    const refused = expect(ended).rejects.toThrow('out of memory');
    await end('build', new Error('out of memory'));
    await end('types');
    expect(begun).toEqual(['build', 'types']);
    await refused;
  });
});

test('no stage of npm test waits for itself, or for one behind it', () => {
  for (const lane of [...lanesOf({ long: false }), ...lanesOf({ long: true })]) {
    for (const [index, { needs }] of lane.entries()) expect(lane.slice(index)).not.toContain(needs);
  }
});
