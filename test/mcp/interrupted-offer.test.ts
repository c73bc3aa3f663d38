import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from 'effection';
import { createMcpServer } from 'parley-mcp/server';
import { createSqliteStore, type SqliteStore } from 'parley-mcp/stores';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { PersonCalls, shownToPerson } from '#src/calls/person-calls.ts';
import { noteCodeVersion } from '#src/core/world/code-version.ts';
import { CLAIM_TTL } from '#src/runtime/journal/call-store.ts';
import { type Linked, linked } from './kit/channel.ts';
import { plan, release } from './kit/durable-tools.ts';
import { accept, type Message } from './kit/wire.ts';

let log: string;
let keys: Uint8Array[];
let here: SqliteStore;
/** The same database, for whom the owner of all that the other has kept is dead. */
let later: SqliteStore;
beforeEach(async () => {
  // The clock by which it is known how fast an answer comes stands still.
  vi.useFakeTimers({ toFake: ['performance'] });
  const folder = await mkdtemp(join(tmpdir(), 'parley-offer-'));
  keys = [randomBytes(32)];
  log = join(folder, 'log');
  here = createSqliteStore({ folder: join(folder, 'calls'), keys });
  later = createSqliteStore({ folder: join(folder, 'calls'), keys, now: () => Date.now() + 2 * CLAIM_TTL });
  onTestFinished(async () => {
    vi.useRealTimers();
    await Promise.all([here.close(), later.close()]);
    await rm(folder, { recursive: true, force: true });
    noteCodeVersion(release, 'one');
  });
  noteCodeVersion(release, 'one');
});

interface Program {
  readonly client: Linked;
  /** Calls the tool. */
  call(): Promise<Message>;
  /** The next question, once it is there. */
  asked(): Promise<Message>;
  /** Answers it as a person does, who reads first. */
  says(content: object): Promise<string>;
  /** How often its store was asked for. */
  readonly opened: () => number;
}

async function program(
  store: SqliteStore,
  { server = 'parley', name = 'claude-code', isAsked = true, hasStore = true } = {},
): Promise<Program> {
  let opened = 0;
  const next = { server, folder: '/repo', hasStore: () => hasStore };
  function* open() {
    opened += 1;
    return store;
  }
  const shown = shownToPerson(
    open,
    `${Math.random()}`,
    (_, client) => ({ client, ...next, title: 'T' }),
    next,
  );
  const served = createMcpServer({ name: 'test', version: '1.0.0', tools: [release, plan], shown });
  onTestFinished(() => served.close());
  const client = await linked(served);
  const capabilities = isAsked ? { elicitation: {} } : {};
  const clientInfo = { name, version: '1' };
  await client.request('initialize', { protocolVersion: '2025-11-25', capabilities, clientInfo });
  const asked = () => client.until(({ method }) => method === 'elicitation/create');
  return {
    ...{ client, asked, opened: () => opened },
    call: () => client.request('tools/call', { name: 'release', arguments: { log } }),
    async says(content) {
      const { id, params } = await asked();
      vi.advanceTimersByTime(1_000);
      client.answer(id ?? '', accept(content));
      return params.message;
    },
  };
}

const steps = async () => (await readFile(log, 'utf8')).match(/^\w+/gm);

/** A program that asks its second question when it dies. */
async function dead(): Promise<void> {
  const one = await program(here);
  // Its client hears no more of it.
  void one.call();
  await one.says({ version: '1.2' });
  await expect
    .poll(async () => (await run(() => here.list())).map(({ notes }) => JSON.stringify(notes)))
    .toEqual([expect.stringContaining('Publish 1.2?')]);
}

it('a call of a dead process goes on in the next one, and none of its steps is done again', async () => {
  await dead();
  const next = await program(later);
  const called = next.call();
  expect(await next.says({ choice: 'continue' })).toMatch(/^A call of .+ was interrupted after 1 answer\./);
  expect(await next.says({ sure: true })).toBe('Publish 1.2?');
  expect((await called).result.content[0].text).toBe('released 1.2: true');
  expect(await steps()).toEqual(['read', 'tag', 'publish']);
  await expect.poll(() => run(() => later.list())).toEqual([]);
});

it('a call that is begun anew is another one, and that of the dead process is deleted', async () => {
  await dead();
  const next = await program(later);
  const called = next.call();
  await next.says({ choice: 'anew' });
  expect(await next.says({ version: '2.0' })).toBe('Which version?');
  await next.says({ sure: false });
  expect((await called).result.content[0].text).toBe('released 2.0: false');
  await expect.poll(() => run(() => later.list())).toEqual([]);
});

it.each(['decline', 'cancel'])('a %s of the offer does nothing, and keeps the call', async (action) => {
  await dead();
  const next = await program(later);
  const called = next.call();
  const { id } = await next.asked();
  vi.advanceTimersByTime(1_000);
  next.client.answer(id ?? '', { action });
  expect((await called).result).toMatchObject({ isError: true });
  expect(await steps()).toEqual(['read', 'tag']);
  expect(
    (await run(() => new PersonCalls(later, 'a window').list())).map((one) => one.isInterrupted),
  ).toEqual([true]);
});

it.each([
  ['a client of another name', { name: 'codex' }, 'one'],
  ['another server', { server: 'other' }, 'one'],
  ['a program whose code has changed', {}, 'two'],
] as const)('a call of a dead process is not offered to %s', async (_, who, code) => {
  await dead();
  noteCodeVersion(release, code);
  const next = await program(later, who);
  void next.call();
  expect((await next.asked()).params.message).toBe('Which version?');
});

it('a call of code that nobody knows is kept for no other process', async () => {
  const one = await program(here);
  void one.client.request('tools/call', { name: 'plan', arguments: { to: 'Lisbon' } });
  await one.says({ day: 'Monday' });
  await expect
    .poll(async () => (await run(() => here.list())).map(({ notes }) => JSON.stringify(notes)))
    .toEqual([expect.stringContaining('Which row on Monday?')]);
  expect((await run(() => here.list())).map(({ lineCount }) => lineCount)).toEqual([0]);
  expect(await run(() => new PersonCalls(later, 'a window').list())).toEqual([]);
});

it('a call of a process that lives is not offered', async () => {
  await dead();
  const next = await program(here);
  void next.call();
  expect((await next.asked()).params.message).toBe('Which version?');
});

it('a call begins anew, and says nothing of another, where nobody can be asked', async () => {
  await dead();
  const next = await program(later, { isAsked: false });
  expect(JSON.stringify(await next.call())).not.toContain('interrupted');
  expect(next.opened()).toBe(0);
});

it('a call opens no store before it asks, where no program has made one', async () => {
  const one = await program(here, { hasStore: false });
  void one.call();
  await one.asked();
  expect(one.opened()).toBe(0);
});

it('an interrupted call that somebody else has by now is done by nobody twice', async () => {
  await dead();
  const [one, two] = [await program(later), await program(later)];
  const called = [one.call(), two.call()];
  const asked = [await one.asked(), await two.asked()];
  vi.advanceTimersByTime(1_000);
  one.client.answer(asked[0]?.id ?? '', accept({ choice: 'continue' }));
  await one.says({ sure: true });
  two.client.answer(asked[1]?.id ?? '', accept({ choice: 'continue' }));
  const [first, second] = await Promise.all(called);
  expect(first?.result.content[0].text).toBe('released 1.2: true');
  expect(second?.result.isError).toBe(true);
  expect(await steps()).toEqual(['read', 'tag', 'publish']);
});

it('a call whose journal can be kept no longer goes on, and is not taken up from before', async () => {
  const full = createSqliteStore({ folder: join(log, '../calls'), keys, bounds: { callBytes: 20_000 } });
  onTestFinished(() => full.close());
  const one = await program(full);
  void one.call();
  await one.says({ version: '1'.repeat(30_000) });
  expect((await one.asked()).params.message).toContain('Publish 111');
  expect((await run(() => full.list())).filter(({ lineCount }) => lineCount > 0)).toEqual([]);
  const next = await program(later);
  void next.call();
  expect((await next.asked()).params.message).toBe('Which version?');
});

it('two equal calls that a dead process has left are offered one each', async () => {
  for (const version of ['1', '2']) {
    const one = await program(here);
    void one.call();
    await one.says({ version });
    await expect.poll(async () => (await run(() => here.list())).length).toBe(Number(version));
  }
  const next = await program(later);
  const called = [next.call(), next.call()];
  for (const _ of called) expect(await next.says({ choice: 'continue' })).toContain('was interrupted');
  for (const _ of called) expect(await next.says({ sure: true })).toMatch(/^Publish [12]\?$/);
  const texts = (await Promise.all(called)).map(({ result }) => result.content[0].text);
  expect(texts.sort()).toEqual(['released 1: true', 'released 2: true']);
  expect(await steps()).toEqual(['read', 'tag', 'read', 'tag', 'publish', 'publish']);
});

it('a call that cannot be continued fails, does no step again, and is offered again', async () => {
  await dead();
  const [left] = await run(() => later.list());
  await run(function* () {
    const outcome = yield* later.claim(left?.name ?? expect.fail());
    if (outcome.type !== 'claimed') return expect.fail();
    yield* later.append(outcome.claim, { at: outcome.call.lineCount, lines: ['no line'], release: true });
  });
  const next = await program(later);
  const called = next.call();
  await next.says({ choice: 'continue' });
  expect((await called).result.isError).toBe(true);
  expect(await steps()).toEqual(['read', 'tag']);
  void next.call();
  expect((await next.asked()).params.message).toContain('was interrupted');
});

it('a call that was stopped while it was offered begins anew where the person wants that', async () => {
  await dead();
  const [left] = await run(() => later.list());
  const next = await program(later);
  const called = next.call();
  const { id } = await next.asked();
  await run(() => later.forget(left?.name ?? expect.fail()));
  vi.advanceTimersByTime(1_000);
  next.client.answer(id ?? '', accept({ choice: 'anew' }));
  expect(await next.says({ version: '2.0' })).toBe('Which version?');
  await next.says({ sure: false });
  expect((await called).result.content[0].text).toBe('released 2.0: false');
});

it('a call begins where the store of interrupted ones cannot be read', async () => {
  await dead();
  const broken = createSqliteStore({ folder: join(log, '../no-calls'), keys });
  await mkdir(join(log, '../no-calls/calls.db'), { recursive: true });
  onTestFinished(() => broken.close());
  const next = await program(broken);
  void next.call();
  expect((await next.asked()).params.message).toBe('Which version?');
});
