import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from 'effection';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type PersonCall, PersonCalls } from '#src/calls/person-calls.ts';
import { decline } from '#src/panel-port/index.ts';
import type { SqliteStore } from '#src/stores/index.ts';
import { openMachineInbox } from '#src/stores/machine-inbox.ts';
import { OpenWindow } from '#src/stores/open-windows.ts';
import { tempFolder } from '#test/temp-folder.ts';
import { enterTab, type ListedPage, type PersonTab, readRedirect } from './kit/person.ts';
import { startTerminalAgent, startTerminalClient, type TerminalClient } from './kit/terminal-agent.ts';

const asking = fileURLToPath(new URL('kit/asking-tool.ts', import.meta.url));
const asks = { name: 'asks', arguments: {} };

let above: string;
let folder: string;
let store: SqliteStore;
let people: PersonCalls;
const agents: TerminalClient[] = [];
beforeEach(async () => {
  above = tempFolder();
  folder = join(above, 'inbox');
  store = openMachineInbox(folder, () => {});
  people = new PersonCalls(store, 'this test');
});
afterEach(async () => {
  for (const one of agents.splice(0)) await one.kill();
  await store.close();
});

async function agent(flags: readonly string[] = [], env: NodeJS.ProcessEnv = { PARLEY_INBOX: folder }) {
  const made = await startTerminalAgent(asking, asks, { flags, env });
  agents.push(made);
  return made;
}

const withWindow = fileURLToPath(new URL('../../src/stores/open-windows.ts', import.meta.url));

/** A window of an editor in a process of its own. */
async function windowProcess(): Promise<ChildProcess> {
  const code = `const { OpenWindow } = await import(${JSON.stringify(withWindow)});
    new OpenWindow(${JSON.stringify(folder)}).has([process.cwd()]);
    console.log('open');
    setInterval(() => {}, 1_000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return child;
}

/** An agent that draws no forms, and the browser of its person. */
async function formless(env: NodeJS.ProcessEnv = {}) {
  const file = join(above, 'opened');
  const opener = join(above, 'opener.mjs');
  await writeFile(
    opener,
    `(await import('node:fs')).appendFileSync(${JSON.stringify(file)}, process.argv[2] + '\\n');`,
  );
  const made = await startTerminalClient(asking, asks, {
    env: { PARLEY_INBOX: folder, PARLEY_OPENER: `${process.execPath} ${opener}`, ...env },
  });
  agents.push(made);
  const opened = () => (existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []);
  return { ...made, opened, isOpened: () => opened().length > 0 };
}

async function waiting(count: number): Promise<readonly PersonCall[]> {
  await expect.poll(async () => (await run(() => people.list())).length).toBe(count);
  return await run(() => people.list());
}

describe('a question that an agent asks in its terminal', () => {
  it('is listed with who asks and where; answered elsewhere, it closes in the terminal', async () => {
    const { say, hears, asked } = await agent();
    const [call] = await waiting(1);
    expect(call).toMatchObject({ client: 'claude-code', tool: 'asks', folder: process.cwd() });
    const [ask] = call?.asks ?? [];
    expect(asked.params.message).toContain(ask?.request.message);
    const message = { id: '1', digest: '1', answers: { [`${ask?.wireKey}`]: { action: 'cancel' } } };
    expect(await run(() => people.send(call?.name as PersonCall['name'], message))).toBe('left');
    await hears(
      ({ method, params }) => method === 'notifications/cancelled' && params.requestId === asked.id,
    );
    await hears(({ id, method }) => id === 1 && method === undefined);
    await waiting(0);
    say({ id: 2, method: 'ping' });
    await hears(({ id }) => id === 2);
  });

  it('is listed no longer once it is answered in the terminal', async () => {
    const { say, hears, asked } = await agent();
    await waiting(1);
    say({ id: asked.id, result: { action: 'cancel' } });
    await hears(({ id, method }) => id === 1 && method === undefined);
    await waiting(0);
  });

  it('is listed no longer once its server was killed, and its inbox is whole', async () => {
    const { child } = await agent();
    await waiting(1);
    child.kill('SIGKILL');
    await waiting(0);
    await agent();
    await waiting(1);
  });

  it('is answered while its server stands still, and that counts when it goes on', async () => {
    const { child, hears } = await agent();
    const [call] = await waiting(1);
    child.kill('SIGSTOP');
    const [ask] = call?.asks ?? [];
    const message = { id: '1', digest: '1', answers: { [`${ask?.wireKey}`]: { action: 'cancel' } } };
    expect(await run(() => people.send(call?.name as PersonCall['name'], message))).toBe('left');
    child.kill('SIGCONT');
    await hears(({ id, method }) => id === 1 && method === undefined);
    await waiting(0);
  });

  it.each([
    ['by its command', ['--inbox', 'none'], {}],
    ['in CI', [], { PARLEY_INBOX: '', CI: 'true' }],
  ] as const)('is listed nowhere where that is turned off %s', async (_, flags, env) => {
    const home = join(above, 'home');
    await agent(flags, { PARLEY_INBOX: folder, ...env, HOME: home, XDG_STATE_HOME: '' });
    expect(await run(() => store.list())).toEqual([]);
    await expect(stat(join(home, '.local'))).rejects.toThrow('ENOENT');
  });

  it.each([
    ['cannot be made', async () => '/dev/null/inbox'],
    [
      'is damaged',
      async () => {
        const other = join(above, 'other');
        await mkdir(other, { mode: 0o700 });
        await writeFile(join(other, 'calls.db'), 'no database '.repeat(1_000));
        return other;
      },
    ],
  ])('is asked as before where the inbox %s', async (_, place) => {
    const { hears, say, asked } = await agent([], { PARLEY_INBOX: await place() });
    say({ id: asked.id, result: { action: 'cancel' } });
    await hears(({ id, method }) => id === 1 && method === undefined);
  });
});

describe('a question of an agent that draws no forms', () => {
  const windows: OpenWindow[] = [];
  afterEach(() => {
    for (const one of windows.splice(0)) one.close();
  });
  const open = (...folders: string[]) => {
    const window = new OpenWindow(folder);
    window.has(folders);
    windows.push(window);
    return window;
  };
  const cancelled = (call: PersonCall | undefined) => ({
    ...{ id: '1', digest: '1', by: 'person' as const },
    answers: { [`${call?.asks[0]?.wireKey}`]: { action: 'cancel' } },
  });

  it('is asked in the window of its folder that was looked at last, and in no browser', async () => {
    const [other, elsewhere, window] = [open(process.cwd()), open(above), open(join(process.cwd(), '..'))];
    window.isLookedAt();
    const { hears, isOpened } = await formless();
    const [call] = await waiting(1);
    await expect.poll(() => window.calls()).toEqual([call?.name.callId]);
    expect(call).toMatchObject({ client: 'opencode', folder: process.cwd() });
    expect(await run(() => people.send(call?.name as PersonCall['name'], cancelled(call)))).toBe('left');
    await hears(({ id, method }) => id === 1 && method === undefined);
    await waiting(0);
    expect([other.calls(), elsewhere.calls(), isOpened()]).toEqual([[], [], false]);
  });

  it.each([
    ['is closed', (window: OpenWindow) => window.close()],
    ['has the folder no more', (window: OpenWindow) => window.has([])],
  ])('comes to the browser when that window %s', async (_, leaves) => {
    const window = open(process.cwd());
    const { isOpened } = await formless();
    await expect.poll(() => window.calls()).toHaveLength(1);
    expect(isOpened()).toBe(false);
    leaves(window);
    await expect.poll(isOpened).toBe(true);
  });

  it('comes to the browser when that window is killed', async () => {
    const window = await windowProcess();
    const { isOpened } = await formless();
    await waiting(1);
    expect(isOpened()).toBe(false);
    window.kill('SIGKILL');
    await expect.poll(isOpened).toBe(true);
  });

  describe('where there is no display', () => {
    const nowhere = { CI: 'true', PARLEY_OPENER: '', BROWSER: '' };

    it('is asked in the window of its folder, and in one opened anew when that is closed', async () => {
      const window = open(process.cwd());
      const { hears, isOpened } = await formless(nowhere);
      await expect.poll(() => window.calls()).toHaveLength(1);
      window.close();
      const next = open(process.cwd());
      await expect.poll(() => next.calls()).toHaveLength(1);
      const [call] = await waiting(1);
      expect(await run(() => people.send(call?.name as PersonCall['name'], cancelled(call)))).toBe('left');
      await hears(({ id, method }) => id === 1 && method === undefined);
      expect(isOpened()).toBe(false);
    });

    it('is listed while a window of its folder is open, and refused without one', async () => {
      open(above);
      const { say, hears } = await formless(nowhere);
      const refused = await hears(({ id, method }) => id === 1 && method === undefined);
      expect(JSON.stringify(refused)).toContain('elicitation');
      const listed = async (id: number) => {
        say({ id, method: 'tools/list' });
        return JSON.stringify((await hears((message) => message.id === id)).result);
      };
      expect(await listed(2)).not.toContain('asks');
      open(process.cwd());
      expect(await listed(3)).toContain('asks');
    });
  });

  it('is asked in the browser where only windows of other folders are open', async () => {
    open(above);
    const { isOpened } = await formless();
    await expect.poll(isOpened).toBe(true);
  });

  it('is asked in the browser where nothing can be listed to a window', async () => {
    const window = open(process.cwd());
    const { isOpened } = await formless({ PARLEY_INBOX: 'none' });
    await expect.poll(isOpened).toBe(true);
    expect(window.calls()).toEqual([]);
  });
});

describe('a question that two people answer at once', () => {
  const end = ({ id, method }: { id?: unknown; method?: unknown }) => id === 1 && method === undefined;
  const cancels = (call: PersonCall | undefined) => {
    const answers = { [`${call?.asks[0]?.wireKey}`]: { action: 'cancel' } };
    const message = { id: '1', digest: '1', by: 'person' as const, answers };
    return run(() => people.send(call?.name as PersonCall['name'], message));
  };

  it('in the window and on the page ends its call, and is over for both', async () => {
    const { hears, isOpened, opened } = await formless();
    await expect.poll(isOpened).toBe(true);
    const tab = await enterTab(readRedirect(opened()[0] ?? ''));
    const [page] = await tab.asking(1);
    const [call] = await waiting(1);
    if (!page) throw new Error('nothing is asked');
    const { id: questionId } = await tab.question(page);
    await Promise.all([cancels(call), tab.say(page, decline({ questionId }))]);
    await hears(end);
    await waiting(0);
    const watched = await tab.post(`/watch/${page.id}`, { ticket: '-', input: {}, after: 0 });
    expect(await watched.json()).toMatchObject({ state: 'ended' });
    expect(await cancels(call)).toBe('unknown');
    expect((await tab.list()).pages).toMatchObject([{ open: false, over: true }]);
  });

  it('in the window and in the form of its agent ends its call, and is over for a late window', async () => {
    const { say, hears, asked } = await agent();
    const [call] = await waiting(1);
    const sent = cancels(call);
    say({ id: asked.id, result: { action: 'decline' } });
    expect(['left', 'unknown']).toContain(await sent);
    await hears(end);
    await waiting(0);
    expect(await cancels(call)).toBe('unknown');
    say({ id: 2, method: 'ping' });
    await hears(({ id }) => id === 2);
  });
});

describe('two agents that draw no forms', () => {
  const done = (agent: TerminalClient) => agent.hears(({ id, method }) => id === 1 && method === undefined);
  async function declined(tab: PersonTab, page: ListedPage | undefined): Promise<void> {
    if (!page) throw new Error('nothing is asked');
    const { id: questionId } = await tab.question(page);
    await tab.say(page, decline({ questionId }));
  }

  it('ask in one tab, whichever is first; each answer comes to its own', async () => {
    const first = await formless();
    await expect.poll(first.isOpened).toBe(true);
    const tab = await enterTab(readRedirect(first.opened()[0] ?? ''));
    await tab.asking(1);
    const second = await formless();
    const pages = await tab.asking(2);
    expect(pages.map(({ caller }) => caller)).toEqual(['opencode 1', 'opencode 1']);
    for (const { id } of pages) expect((await fetch(`${tab.origin}/frame/${id}`)).status).toBe(200);
    await declined(tab, pages[1]);
    await done(second);
    expect(await tab.asking(1)).toHaveLength(1);
    await declined(tab, pages[0]);
    await done(first);
    expect(first.opened()).toHaveLength(1);
  });

  it('started at once open one tab', async () => {
    const both = await Promise.all([formless(), formless()]);
    await expect.poll(both[0].isOpened).toBe(true);
    const tab = await enterTab(readRedirect(both[0].opened()[0] ?? ''));
    for (const page of await tab.asking(2)) await declined(tab, page);
    await Promise.all(both.map(done));
    expect(both[0].opened()).toHaveLength(1);
  });

  it('of which the one with the tab is killed: the other opens one of its own', async () => {
    const first = await formless();
    await expect.poll(first.isOpened).toBe(true);
    const tab = await enterTab(readRedirect(first.opened()[0] ?? ''));
    await tab.asking(1);
    const second = await formless();
    await tab.asking(2);
    first.child.kill('SIGKILL');
    await expect.poll(() => second.opened().length).toBe(2);
    const next = await enterTab(readRedirect(second.opened()[1] ?? ''));
    const [page] = await next.asking(1);
    await declined(next, page);
    await done(second);
  });

  it('let nobody else into their tab', async () => {
    const first = await formless();
    await expect.poll(first.isOpened).toBe(true);
    const { to } = readRedirect(first.opened()[0] ?? '');
    const port = Number(new URL(to).port);
    for (const secret of ['', 'x'.repeat(32)]) {
      const origin = `http://127.0.0.1:${port}`;
      const headers = { origin, 'content-type': 'application/json', 'x-parley-tab': secret };
      const body = JSON.stringify({ port: 1, secret: 'x' });
      expect((await fetch(`${origin}/join`, { method: 'POST', headers, body })).status).toBe(403);
    }
  });
});

it('a window only lists what an agent asks in its own form', async () => {
  const window = new OpenWindow(folder);
  onTestFinished(() => window.close());
  window.has([process.cwd()]);
  const { say, hears, asked } = await agent();
  await waiting(1);
  say({ id: asked.id, result: { action: 'cancel' } });
  await hears(({ id, method }) => id === 1 && method === undefined);
  expect(window.calls()).toEqual([]);
});
