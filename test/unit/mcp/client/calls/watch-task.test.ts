import { run } from 'effection';
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
  const watched = {
    begun: { status: 'working' } as TaskStatus,
    *look() {
      return stands[looks++] ?? ({ status: 'completed' } as const);
    },
    *isDone({ status }: TaskStatus) {
      return status === 'completed';
    },
    times: () => ({ poll: 10_000 }),
    bell,
  };
  const over = run(() => watchTask(watched, { log() {} }));
  vi.setSystemTime(Date.now() - 24 * 3_600_000);
  bell.ring();
  await vi.advanceTimersByTimeAsync(100);
  expect(looks).toBe(1);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await over).toEqual({ status: 'completed' });
});
