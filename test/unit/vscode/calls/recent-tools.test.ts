import { describe, expect, it } from 'vitest';
import { createRecentTools } from '#src/vscode/calls/parameters/recent-tools.ts';

function memento(first: Readonly<Record<string, unknown>> = {}) {
  const kept = new Map(Object.entries(first));
  return {
    keys: () => [...kept.keys()],
    get: (key: string) => kept.get(key),
    async update(key: string, value: unknown) {
      kept.set(key, value);
    },
  };
}

describe('the tools that were run last', () => {
  it('are listed once each, the last one first, and no more than five', () => {
    const recent = createRecentTools(memento() as never);
    for (const name of ['a', 'b', 'a', 'c', 'd', 'e', 'f']) recent.used(name);
    expect(recent.list()).toEqual(['f', 'e', 'd', 'c', 'a']);
  });

  it('are nothing when what was kept is something else', () => {
    expect(createRecentTools(memento({ 'parley.recentTools': 'x' }) as never).list()).toEqual([]);
    expect(createRecentTools(memento({ 'parley.recentTools': [1, 'a'] }) as never).list()).toEqual(['a']);
  });
});
