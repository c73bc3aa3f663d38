import { describe, expect, it } from 'vitest';
import { sessionToEnd } from '#src/mcp/era-2025/session-to-end.ts';

const idle = { busy: false, serving: false };
const listens = { busy: true, serving: false };
const works = { busy: true, serving: true };
const session = (principal: string, lastUsed: number, state: typeof idle) => ({
  principal,
  lastUsed,
  ...state,
});

describe('the session that makes room', () => {
  it('is the one that idles longest, whoever has it', () => {
    const [a, b, c] = [session('ada', 1, works), session('bob', 3, idle), session('ada', 2, idle)];
    expect(sessionToEnd([a, b, c], 'eve')).toBe(c);
  });

  it('is otherwise one of whoever has most, that only listens', () => {
    const all = [session('bob', 1, listens), session('ada', 2, works), session('ada', 3, listens)];
    expect(sessionToEnd(all, 'bob')).toBe(all[2]);
  });

  it('is one that works only for somebody who has less', () => {
    const all = [session('ada', 1, works), session('ada', 2, works), session('bob', 0, works)];
    expect(sessionToEnd(all, 'eve')).toBe(all[0]);
    expect(sessionToEnd(all, 'bob')).toBe(all[0]);
    expect(sessionToEnd(all, 'ada')).toBeUndefined();
  });
});
