import { type Operation, run } from 'effection';
import { afterEach, expect, it, vi } from 'vitest';
import type { Task } from '#src/mcp/tasks/task.ts';
import { FollowedTasks } from '#src/mcp/tasks/telling/followed-tasks.ts';
import type { CallName } from '#src/runtime/journal/call-store.ts';
import { Notices } from '#src/stores/notices.ts';

const MANY = 10_000;
const running: Promise<unknown>[] = [];

afterEach(async () => {
  vi.restoreAllMocks();
  await Promise.all(running.splice(0));
});

/** Tasks that stand as they are put, and how often each was looked at. */
function followed() {
  const now = Date.now();
  const stands = new Map<string, Task>();
  const looks = new Map<string, number>();
  const problems: string[] = [];
  const host = {
    run<T>(op: () => Operation<T>): Promise<T> {
      const done = Promise.resolve(run(op));
      running.push(done.catch(() => {}));
      return done;
    },
    report: (message: string, cause: unknown) => problems.push(`${message}: ${String(cause)}`),
  };
  const notices = new Notices();
  const calls = {
    watch: ({ callId }: CallName, look: () => void) => notices.watch(callId, look),
  };
  const tasks = new FollowedTasks({
    ...{ host, calls, pollInterval: 1 },
    *look({ callId }) {
      looks.set(callId, (looks.get(callId) ?? 0) + 1);
      return stands.get(callId) as Task;
    },
  });
  const put = (id: string, status: Task['status'], message?: string) => {
    const times = { createdAt: now, updatedAt: now, ttl: 60_000 };
    const said = message === undefined ? {} : { message };
    stands.set(id, { id, ...times, status, ...said });
    notices.tell(id);
  };
  const follow = (id: string, told: (task: Task) => void, over: () => void) =>
    run(() => tasks.follow({ principal: 'ann', conversation: '', callId: id }, { told, over }));
  return { put, follow, looks, problems };
}

it(`of ${MANY} who follow one task each is told once of each change, by few looks at it, and all hear its end`, async () => {
  const { put, follow, looks, problems } = followed();
  put('one', 'working');
  const heard = Array.from({ length: MANY }, () => [] as string[]);
  let over = 0;
  for (const own of heard) {
    await follow(
      'one',
      ({ status }) => own.push(status),
      () => {
        over += 1;
      },
    );
  }
  const before = looks.get('one') ?? 0;
  put('one', 'input_required');
  await expect.poll(() => heard.every((own) => own.includes('input_required'))).toBe(true);
  put('one', 'completed');
  await expect.poll(() => over).toBe(MANY);
  expect(new Set(heard.map((own) => own.join(' ')))).toEqual(new Set(['working input_required completed']));
  // Nobody looks for one follower.
  expect((looks.get('one') ?? 0) - before).toBeLessThan(10);
  expect(problems).toEqual([]);
});

it(`of ${MANY} tasks that are followed each tells its own, and is looked at no more once nobody follows`, async () => {
  const { put, follow, looks, problems } = followed();
  const heard = new Map<string, string[]>();
  const stops: (() => void)[] = [];
  const ids = Array.from({ length: MANY }, (_, at) => `task-${at}`);
  for (const id of ids) {
    put(id, 'working');
    const own: string[] = [];
    heard.set(id, own);
    stops.push(
      await follow(
        id,
        (task) => own.push(`${task.id} ${task.status}`),
        () => {},
      ),
    );
  }
  for (const id of ids) put(id, 'input_required');
  await expect.poll(() => ids.every((id) => heard.get(id)?.length === 2)).toBe(true);
  for (const id of ids) expect(heard.get(id)).toEqual([`${id} working`, `${id} input_required`]);
  for (const stop of stops) stop();
  await Promise.all(running.splice(0));
  const before = [...looks.values()].reduce((one, other) => one + other);
  for (const id of ids) put(id, 'completed');
  await new Promise((next) => setImmediate(next));
  expect([...looks.values()].reduce((one, other) => one + other)).toBe(before);
  expect(ids.every((id) => heard.get(id)?.length === 2)).toBe(true);
  expect(problems).toEqual([]);
});

it('what a task says is told also where the time of the machine was set back meanwhile', async () => {
  const { put, follow, problems } = followed();
  put('one', 'working');
  const heard: (string | undefined)[] = [];
  await follow(
    'one',
    ({ message }) => heard.push(message),
    () => {},
  );
  const { now } = Date;
  vi.spyOn(Date, 'now').mockImplementation(() => now() - 24 * 3_600_000);
  put('one', 'working', 'half of it');
  await expect.poll(() => heard).toEqual([undefined, 'half of it']);
  put('one', 'completed');
  expect(problems).toEqual([]);
});
