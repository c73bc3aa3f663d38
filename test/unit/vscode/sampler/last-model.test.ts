import { run } from 'effection';
import { describe, expect, it } from 'vitest';
import type { ModelFacts } from '#src/vscode/calls/sampler/choose-model.ts';
import { createLastModel } from '#src/vscode/calls/sampler/last-model.ts';

const model = (vendor: string): ModelFacts => ({ vendor, id: 'm', family: 'f', name: vendor });
const ada = model('ada');
const bob = model('bob');

function rig() {
  const kept = new Map<string, unknown>();
  const state = {
    keys: () => [...kept.keys()],
    get: (key: string) => kept.get(key),
    update: async (key: string, value: unknown) => void kept.set(key, value),
  };
  const answers: ((key: string | undefined) => void)[] = [];
  const last = createLastModel(
    state as Parameters<typeof createLastModel>[0],
    () => new Promise((resolve) => answers.push(resolve)),
  );
  return { last, answers, kept };
}

describe('the last model', () => {
  it('is asked for once, however many samplings wait, and remembered', async () => {
    const { last, answers } = rig();
    const first = run(() => last.ask([ada, bob], ada));
    const second = run(() => last.ask([ada, bob], ada));
    expect(answers).toHaveLength(1);
    answers[0]?.('bob/m');
    expect([await first, await second]).toEqual([bob, bob]);
    expect(last.get()).toBe('bob/m');
  });

  it('is the fallback when the list is closed, which is not shown again', async () => {
    const { last, answers } = rig();
    const asked = run(() => last.ask([ada, bob], ada));
    answers[0]?.(undefined);
    expect(await asked).toBe(ada);
    expect(await run(() => last.ask([ada, bob], bob))).toBe(bob);
    expect(answers).toHaveLength(1);
    expect(last.get()).toBeUndefined();
  });

  it('halts with one sampling and goes on for the others', async () => {
    const { last, answers } = rig();
    const halted = run(() => last.ask([ada, bob], ada));
    const other = run(() => last.ask([ada, bob], ada));
    await halted.halt();
    answers[0]?.('ada/m');
    expect(await other).toBe(ada);
  });

  it('believes nothing but text of what was kept', () => {
    const { last, kept } = rig();
    kept.set('parley.lastModel', { vendor: 'x' });
    expect(last.get()).toBeUndefined();
  });
});
