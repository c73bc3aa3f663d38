import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { inRings } from '#test/rings.ts';
import { tempFolder } from '#test/temp-folder.ts';
import { client2025, client2026, stdio2025 } from './kit/clients.ts';

const kit = (file: string) => join(import.meta.dirname, 'kit', file);

const pairs = [
  ['2025-11-25', '2026-07-28', client2025, 'initialize'],
  ['2026-07-28', '2025-11-25', client2026, 'server/discover'],
] as const;

it.each(inRings(pairs.slice(0, 1), pairs.slice(1)))(
  'a client of %s has what two servers of %s offer under the same names',
  async (_ours, _theirs, create, refused) => {
    const folder = tempFolder();
    const client = create();
    const told: unknown[] = [];
    const names = async () => (await client.listPrompts()).prompts.map(({ name }) => name);
    /** What a client knows that reads the prompts when it is told that they have changed, and only then. */
    let known: readonly string[] = [];
    client.fallbackNotificationHandler = async ({ method, params }) => {
      told.push(params?.uri ?? method);
      if (method === 'notifications/prompts/list_changed') known = await names();
    };
    try {
      const server = (owner: string) => ({
        command: process.execPath,
        args: [kit('modern-server.ts'), kit('library.ts')],
        env: { OWNER: owner, REFUSES: refused },
      });
      const file = join(folder, 'mcp.json');
      await writeFile(file, JSON.stringify({ servers: { ada: server('Ada'), bob: server('Bob') } }));
      await client.connect(stdio2025(['--servers', file]) as never);

      const listed = async () => (await client.listResources()).resources.map(({ uri }) => uri);
      const uris = ['parley:ada/app://shelf', 'parley:bob/app://shelf'];
      // Clients are answered before servers that are slow to start are there.
      await vi.waitFor(async () => expect(await listed()).toEqual(uris), { timeout: 60_000 });
      const { resourceTemplates } = await client.listResourceTemplates();
      expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
        'parley:ada/app://books/{id}',
        'parley:bob/app://books/{id}',
      ]);
      expect(await names()).toEqual(['ada__greet', 'bob__greet']);

      const read = async (uri: string) => (await client.readResource({ uri })).contents;
      for (const [name, owner] of [
        ['ada', 'Ada'],
        ['bob', 'Bob'],
      ]) {
        const shelf = `parley:${name}/app://shelf`;
        expect(await read(shelf)).toMatchObject([{ uri: shelf, text: `0 at ${owner}` }]);
        const book = `parley:${name}/app://books/7`;
        expect(await read(book)).toMatchObject([{ uri: book, text: `7 of ${owner}` }]);
        const { messages } = await client.getPrompt({ name: `${name}__greet`, arguments: { name: 'Eve' } });
        expect(messages).toMatchObject([{ content: { resource: { uri: book, text: 'Eve' } } }]);
        const template = { type: 'ref/resource' as const, uri: `parley:${name}/app://books/{id}` };
        const prompt = { type: 'ref/prompt' as const, name: `${name}__greet` };
        const completed = async (ref: typeof template | typeof prompt, argument: string) =>
          (await client.complete({ ref, argument: { name: argument, value: '' } })).completion.values;
        expect(await completed(template, 'id')).toEqual([`${owner}-1`]);
        expect(await completed(prompt, 'name')).toEqual([`Ada of ${owner}`]);
      }
      await expect(client.readResource({ uri: 'app://shelf' })).rejects.toThrow();

      const [, shelf = ''] = uris;
      if ('listen' in client)
        await client.listen({ resourceSubscriptions: [shelf], promptsListChanged: true });
      else await client.subscribeResource({ uri: shelf });
      // Whether the server itself watches already is not said: it is told until it does.
      await vi.waitFor(
        async () => {
          const { content } = await client.callTool({ name: 'bob__put', arguments: {} });
          expect(content).toMatchObject([{ uri: shelf }, { uri: 'https://example.com/shelf' }]);
          expect(told).toContain(shelf);
        },
        { timeout: 60_000, interval: 200 },
      );
      await vi.waitFor(() => expect(known).toEqual(['ada__greet', 'bob__again', 'bob__greet']), {
        timeout: 60_000,
      });
      expect(told).not.toContain(uris[0]);
      expect(await read(shelf)).not.toMatchObject([{ text: '0 at Bob' }]);
    } finally {
      await client.close();
    }
  },
  180_000,
);
