import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { run, until } from 'effection';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { useAddModelCommand } from '#src/vscode/calls/sampler/add-model-command.ts';
import { EdgeContext, ExtensionHome, LogContext, useOwnEdge } from '#src/vscode/contexts.ts';
import { createDisk } from '../mcp/window-kit.ts';

interface Box {
  readonly prompt?: string;
  readonly password?: boolean;
  validateInput?(text: string): string | undefined;
}

/** What the person is shown, and does: a text for each box, in order; the last of a list, or Escape. */
const editor = vi.hoisted(() => ({
  asked: [] as Box[],
  typed: [] as (string | undefined)[],
  lists: [] as string[][],
  pick: (items: string[]): string | undefined => items.at(-1),
  models: [] as unknown[],
  told: [] as string[],
  command: async (): Promise<unknown> => undefined,
}));
vi.mock('vscode', () => ({
  l10n: {
    t: (text: string, ...values: string[]) => text.replace(/\{(\d)\}/g, (_, at) => values[at] ?? ''),
  },
  ConfigurationTarget: { Global: 1 },
  commands: {
    registerCommand(_id: string, work: () => Promise<unknown>) {
      editor.command = work;
      return { dispose() {} };
    },
  },
  window: {
    async showInputBox(box: Box) {
      editor.asked.push(box);
      return editor.typed.shift();
    },
    async showQuickPick(items: string[]) {
      editor.lists.push(items);
      return editor.pick(items);
    },
    showInformationMessage: async (text: string) => void editor.told.push(text),
  },
  workspace: {
    getConfiguration: () => ({
      get: () => editor.models,
      inspect: () => ({ defaultValue: [] }),
      async update(_id: string, value: unknown[]) {
        editor.models = value;
      },
    }),
  },
}));

/** What the server says of its models, and what it was sent. */
let answer: (path: string) => [status: number, headers: Record<string, string>, body: string];
let sent: (string | undefined)[] = [];
let server: Server;
let url = '';
const lists = (...ids: unknown[]) => JSON.stringify({ data: ids.map((id) => ({ id })) });
beforeEach(async () => {
  answer = () => [200, {}, lists('small', 'large')];
  sent = [];
  server = createServer((req, res) => {
    sent.push(req.headers.authorization);
    const [status, headers, body] = answer(req.url ?? '');
    res.writeHead(status, headers).end(body);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  Object.assign(editor, {
    asked: [],
    typed: [],
    lists: [],
    models: [],
    told: [],
    pick: (all: string[]) => all.at(-1),
  });
});
afterEach(() => {
  server.close();
  server.closeAllConnections();
});

/** Runs the command, in a window that has these secrets. */
const addModel = (disk: ReturnType<typeof createDisk>, ...typed: (string | undefined)[]) =>
  run(function* () {
    editor.typed = typed;
    const ignore = () => {};
    yield* LogContext.set({ debug: ignore, info: ignore, warn: ignore, error: ignore, call() {}, show() {} });
    yield* ExtensionHome.set({ secrets: disk.storage } as never);
    yield* EdgeContext.set(yield* useOwnEdge());
    yield* useAddModelCommand();
    yield* until(editor.command());
  });

describe('Add Model…', () => {
  it('asks for an address, a key and one of the models there, and keeps the key as a secret', async () => {
    const disk = createDisk();
    await addModel(disk, `${url}/`, ' s3cret ');
    expect(editor.asked.map(({ password = false }) => password)).toEqual([false, true]);
    expect(sent).toEqual(['Bearer s3cret']);
    expect(editor.lists).toEqual([['large', 'small']]);
    expect(editor.models).toEqual([{ name: 'small', url, model: 'small' }]);
    expect([...disk.secrets]).toEqual([[`parley.models.key.${new URL(url).origin}`, 's3cret']]);
    expect(JSON.stringify(editor.models)).not.toContain('s3cret');
    expect(editor.told).toEqual(['Tools can use small when the editor has no other model.']);
  });

  it('adds another model of the same server with the key that it has, and none twice', async () => {
    const disk = createDisk();
    await addModel(disk, url, 's3cret');
    editor.pick = ([first]) => first;
    await addModel(disk, url, '');
    await addModel(disk, url, '');
    expect(sent).toEqual(Array(3).fill('Bearer s3cret'));
    expect(editor.asked.at(-1)?.prompt).toMatch(/Leave it empty to keep the current key$/);
    expect(editor.models).toEqual([
      { name: 'small', url, model: 'small' },
      { name: 'large', url, model: 'large' },
    ]);
    expect([...disk.secrets.values()]).toEqual(['s3cret']);
  });

  it.each([
    ['at the address', []],
    ['at the key', ['URL']],
    ['at the list', ['URL', 's3cret']],
  ])('leaves everything as it is on Escape %s', async (_, typed) => {
    editor.pick = () => undefined;
    const disk = createDisk();
    await addModel(disk, ...typed.map((text) => (text === 'URL' ? url : text)));
    expect([editor.models, disk.secrets.size, editor.told]).toEqual([[], 0, []]);
  });

  it('takes https anywhere and http on this machine, and says so of all else as it is typed', async () => {
    await addModel(createDisk());
    const [box] = editor.asked;
    const says = (text: string) => box?.validateInput?.(text);
    for (const good of ['https://example.com/v1', 'http://127.0.0.1:1/v1', ' http://localhost:11434 '])
      expect(says(good)).toBeUndefined();
    for (const bad of ['', 'example.com', 'http://example.com/v1', 'https://me:pw@example.com', 'file:///x'])
      expect(says(bad)).toMatch(/^Enter an https address/);
    await addModel(createDisk(), 'http://example.com/v1', 'x');
    expect([sent, editor.models]).toEqual([[], []]);
  });

  it.each<[string, () => ReturnType<typeof answer>]>([
    ['sends the key on to another', () => [302, { location: '/elsewhere' }, '']],
    ['lists none', () => [404, {}, 'not here']],
    ['lists what is no model', () => [200, {}, lists(7, null, 'x'.repeat(201))]],
    ['never ends its list', () => [200, {}, `{"data":[${' '.repeat(2 ** 21)}`]],
  ])('asks for the name where the server %s', async (_, reply) => {
    answer = reply;
    await addModel(createDisk(), url, 's3cret', 'mine');
    expect([sent.length, editor.lists]).toEqual([1, []]);
    expect(editor.models).toEqual([{ name: 'mine', url, model: 'mine' }]);
  });
});
