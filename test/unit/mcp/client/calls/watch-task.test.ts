import { afterEach, expect, it, vi } from 'vitest';
import { Bell } from '#src/mcp/client/calls/bell.ts';
import { type TaskStatus, watchTask } from '#src/mcp/client/calls/watch-task.ts';

afterEach(() => {
  vi.useRealTimers();
});

it('a task that has news is looked at a moment later, also where the time of the machine was set back meanwhile', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
  const bell = new Bell();
  const stands: TaskStatus[] = [{ status: 'working' }, { status: 'completed' }];
  let looks = 0;
  const over = watchTask(
    {
      begun: { status: 'working' },
      look: async () => stands[looks++] ?? { status: 'completed' },
      isDone: ({ status }) => status === 'completed',
      times: () => ({ poll: 10_000 }),
      bell,
    },
    { log() {} },
    new AbortController().signal,
  );
  vi.setSystemTime(Date.now() - 24 * 3_600_000);
  bell.ring();
  await vi.advanceTimersByTimeAsync(100);
  expect(looks).toBe(1);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await over).toEqual({ status: 'completed' });
});
