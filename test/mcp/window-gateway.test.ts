import { join } from 'node:path';
import { type Operation, spawn, until } from 'effection';
import { describe, expect, it, vi } from 'vitest';
import type { Endpoint } from '#src/cli/setup/agents.ts';
import { inRings } from '#test/rings.ts';
import { inWindow, type TestWindow } from '#test/unit/vscode/mcp/window-kit.ts';
import { createUnits, type Units } from '#test/unit/vscode/servers/units-kit.ts';
import { client2025, client2026, http2025, http2026 } from './kit/clients.ts';
import { nodeServer } from './kit/foreign.ts';
import { cli } from './kit/parley-serve.ts';

const kit = (file: string) => join(import.meta.dirname, 'kit', file);

/** One that has a resource, a template and a prompt, and tells of changes. */
const library = (name: string, refused: string) =>
  ({
    ...nodeServer(name, kit('modern-server.ts'), kit('library.ts')),
    env: { OWNER: name, REFUSES: refused },
  }) as const;

/** One that has no tools. */
const poems = nodeServer('poems', cli, 'serve', '--stdio', kit('poems.ts'));

const clients = [
  ['2025-11-25', client2025, http2025],
  ['2026-07-28', client2026, http2026],
] as const;

type AnyClient = ReturnType<typeof client2025> | ReturnType<typeof client2026>;

/** A window whose gateway names these servers. */
function withGateway(
  gateway: readonly string[],
  test: (window: TestWindow, units: Units) => Operation<void>,
): Promise<void> {
  const units = createUnits();
  return inWindow((window) => test(window, units), { gateway, servers: units });
}

function* connected(
  create: () => AnyClient,
  reach: typeof http2025 | typeof http2026,
  { url, token }: Endpoint,
): Operation<AnyClient> {
  const client = create();
  yield* until(client.connect(reach({ url: new URL(url), token }) as never));
  return client;
}

const stands = (units: Units, name: string) => units.of(name)?.connections[0]?.state().kind;

const isReady = (units: Units, name: string) => () => stands(units, name) === 'ready';

describe.each(inRings(clients.slice(1), clients.slice(0, 1)))(
  'a client of %s at the server of a window',
  (_era, create, reach) => {
    it(
      'has the prompts and resources of the servers named, of either era, and of no other',
      () =>
        withGateway(['ada', 'bob'], function* ({ server, registry, askers }, units) {
          yield* units.start(library('ada', 'initialize'), registry);
          yield* units.start(library('bob', 'server/discover'), registry);
          yield* units.start(library('eve', 'server/discover'), registry);
          for (const name of ['ada', 'bob', 'eve']) yield* units.until(isReady(units, name));
          for (const endpoint of [yield* server.forCopilot(), yield* server.forClient('Cursor')]) {
            const client = yield* connected(create, reach, endpoint);
            const { resources } = yield* until(client.listResources());
            expect(resources.map(({ uri }) => uri)).toEqual([
              'parley:ada/app://shelf',
              'parley:bob/app://shelf',
            ]);
            const { resourceTemplates } = yield* until(client.listResourceTemplates());
            expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
              'parley:ada/app://books/{id}',
              'parley:bob/app://books/{id}',
            ]);
            const { prompts } = yield* until(client.listPrompts());
            expect(prompts.map(({ name }) => name)).toEqual(['ada__greet', 'bob__greet']);
            for (const name of ['ada', 'bob']) {
              const book = `parley:${name}/app://books/7`;
              const { contents } = yield* until(client.readResource({ uri: book }));
              expect(contents).toMatchObject([{ uri: book, text: `7 of ${name}` }]);
              const got = yield* until(
                client.getPrompt({ name: `${name}__greet`, arguments: { name: 'Zoe' } }),
              );
              expect(got.messages).toMatchObject([{ content: { resource: { uri: book, text: 'Zoe' } } }]);
              const argument = { name: 'id', value: '' };
              const ref = { type: 'ref/resource' as const, uri: `parley:${name}/app://books/{id}` };
              const { completion } = yield* until(client.complete({ ref, argument }));
              expect(completion.values).toEqual([`${name}-1`]);
            }
            for (const uri of ['parley:eve/app://shelf', 'app://shelf']) {
              const refused = client.readResource({ uri });
              expect(yield* until(refused.then(String, String))).toMatch(/Resource not found/);
            }
            const refused = client.getPrompt({ name: 'eve__greet', arguments: { name: 'Zoe' } });
            expect(yield* until(refused.then(String, String))).toMatch(/Unknown prompt/);
            yield* until(client.close());
          }
          // Who has read is seen in the editor, as with calls of tools.
          expect(new Set(askers.map(({ kind }) => kind))).toEqual(new Set(['agent', 'client']));
        }),
      180_000,
    );

    it(
      'is told when a server’s resource or list changes, and when the server goes',
      () =>
        withGateway(['bob'], function* ({ server, registry }, units) {
          const unit = yield* units.start(library('bob', 'server/discover'), registry);
          yield* units.until(isReady(units, 'bob'));
          const client = yield* connected(create, reach, yield* server.forClient('Cursor'));
          const told: unknown[] = [];
          client.fallbackNotificationHandler = async ({ method, params }) => {
            told.push(params?.uri ?? method);
          };
          const uri = 'parley:bob/app://shelf';
          if ('listen' in client)
            yield* until(
              client.listen({
                resourceSubscriptions: [uri],
                promptsListChanged: true,
                resourcesListChanged: true,
              }),
            );
          else yield* until(client.subscribeResource({ uri }));
          // Whether the server itself watches already is not said: it is told until it does. A burst is told of when it is over.
          yield* until(
            vi.waitFor(
              async () => {
                const { content } = await client.callTool({ name: 'bob__put', arguments: {} });
                expect(content).toMatchObject([{ uri }, { uri: 'https://example.com/shelf' }]);
                expect(told).toContain(uri);
                expect(told).toContain('notifications/prompts/list_changed');
              },
              { timeout: 60_000, interval: 2_000 },
            ),
          );
          const { prompts } = yield* until(client.listPrompts());
          expect(prompts.map(({ name }) => name)).toEqual(['bob__again', 'bob__greet']);
          yield* unit.rest({ kind: 'stopped' });
          yield* until(
            vi.waitFor(() => expect(told).toContain('notifications/resources/list_changed'), {
              timeout: 60_000,
            }),
          );
          expect((yield* until(client.listResources())).resources).toEqual([]);
          yield* until(client.close());
        }),
      180_000,
    );

    it(
      'has what a server offers that has no tools',
      () =>
        withGateway(['poems'], function* ({ server, registry }, units) {
          yield* units.start(poems, registry);
          yield* units.until(isReady(units, 'poems'));
          const client = yield* connected(create, reach, yield* server.forCopilot());
          const { contents } = yield* until(client.readResource({ uri: 'parley:poems/app://poem' }));
          expect(contents).toMatchObject([{ text: 'Roses are red' }]);
          const { messages } = yield* until(client.getPrompt({ name: 'poems__recite' }));
          expect(messages).toMatchObject([{ content: { text: 'Recite it.' } }]);
          yield* until(client.close());
        }),
      180_000,
    );
  },
);

it.each(inRings([['2026-07-28', 'initialize']], [['2025-11-25', 'server/discover']]))(
  'a subscription goes on when its server of %s is killed, or stopped, and comes back',
  (_era, refused) =>
    withGateway(['bob'], function* ({ server, registry }, units) {
      const unit = yield* units.start(library('bob', refused), registry);
      yield* units.until(isReady(units, 'bob'));
      const client = client2025();
      const endpoint = yield* server.forClient('Cursor');
      yield* until(client.connect(http2025({ ...endpoint, url: new URL(endpoint.url) }) as never));
      const uri = 'parley:bob/app://shelf';
      let told = 0;
      client.fallbackNotificationHandler = async ({ params }) => {
        if (params?.uri === uri) told += 1;
      };
      const call = (name: string) => client.callTool({ name, arguments: {} });
      const reads = client.readResource({ uri }).then(({ contents }) => contents[0]);
      expect(yield* until(reads)).toMatchObject({ text: '0 at bob' });
      yield* until(client.subscribeResource({ uri }));
      // Whether the server itself watches already is not said: it is told until it does.
      yield* until(
        vi.waitFor(
          async () => {
            await call('bob__put');
            expect(told).toBeGreaterThan(0);
          },
          { timeout: 60_000, interval: 2_000 },
        ),
      );
      const ended = yield* spawn(() => units.until(() => stands(units, 'bob') !== 'ready'));
      const failed = yield* until(call('bob__leave'));
      expect(failed).toMatchObject({ isError: true });
      yield* ended;
      told = 0;
      yield* units.until(isReady(units, 'bob'));
      // Nobody could say what changed meanwhile: it may read differently.
      yield* until(vi.waitFor(() => expect(told).toBe(1), { timeout: 60_000 }));
      const anew = client.readResource({ uri }).then(({ contents }) => contents[0]);
      expect(yield* until(anew)).toMatchObject({ text: '0 at bob' });
      yield* until(call('bob__put'));
      yield* until(vi.waitFor(() => expect(told).toBe(2), { timeout: 60_000 }));

      yield* unit.rest({ kind: 'stopped' });
      yield* until(vi.waitFor(async () => expect((await client.listResources()).resources).toEqual([])));
      told = 0;
      yield* unit.start(library('bob', refused));
      yield* units.until(isReady(units, 'bob'));
      yield* until(vi.waitFor(() => expect(told).toBe(1), { timeout: 60_000 }));
      yield* until(
        vi.waitFor(
          async () => {
            await call('bob__put');
            expect(told).toBeGreaterThan(1);
          },
          { timeout: 60_000, interval: 2_000 },
        ),
      );
      yield* until(client.close());
    }),
  180_000,
);
