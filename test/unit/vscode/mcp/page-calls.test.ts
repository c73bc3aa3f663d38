import { describe, expect, it } from 'vitest';
import { createPageCalls } from '#src/vscode/agents/mcp/pages/page-calls.ts';
import { createDisk } from './window-kit.ts';

describe('the calls behind pages of the chat', () => {
  it('are known in the next window as well', () => {
    const { state } = createDisk();
    const calls = createPageCalls(state);
    calls.add('a', 'call 1');
    calls.add('b', 'call 2');
    calls.add('a', 'call 1');
    const next = createPageCalls(state);
    expect(['a', 'b', 'c', '__proto__'].map((name) => next.get(name))).toEqual([
      'call 1',
      'call 2',
      undefined,
      undefined,
    ]);
    // A chat that uses a name again means the last one.
    next.add('a', 'call 3');
    expect(next.get('a')).toBe('call 3');
  });

  it('are forgotten, the oldest first, and what is no name is not kept', () => {
    const { state } = createDisk();
    const calls = createPageCalls(state);
    for (let n = 0; n <= 300; n++) calls.add(`page ${n}`, `call ${n}`);
    calls.add('x'.repeat(301), 'call');
    expect([calls.get('page 0'), calls.get('page 1')]).toEqual([undefined, 'call 1']);
    expect(calls.get('x'.repeat(301))).toBeUndefined();
    expect(JSON.stringify(state.get('parley.pageCalls')).length).toBeLessThan(10_000);
  });

  it('are none where something else stands in their place', () => {
    const { state } = createDisk();
    void state.update('parley.pageCalls', [['a'], 'b', ['c', 1], ['d', 'call']]);
    const calls = createPageCalls(state);
    expect([calls.get('a'), calls.get('c'), calls.get('d')]).toEqual([undefined, undefined, 'call']);
  });
});
