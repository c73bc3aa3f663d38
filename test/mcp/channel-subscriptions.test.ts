import { suspend } from 'effection';
import { createMcpResource } from 'parley-mcp';
import { createMcpServer } from 'parley-mcp/server';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Linked, linked } from './kit/channel.ts';
import { envelope, type Message } from './kit/wire.ts';

/** Resources that are watched now. */
const watched = new Set<string>();
const resources = ['app://one', 'app://two'].map((uri) =>
  createMcpResource(uri, uri)
    .watch(function* () {
      watched.add(uri);
      try {
        yield* suspend();
      } finally {
        watched.delete(uri);
      }
    })
    .read(function* () {
      return 'text';
    }),
);

let server: ReturnType<typeof createMcpServer>;
beforeEach(() => {
  server = createMcpServer({ name: 'test', version: '1', tools: [], resources });
});
afterEach(() => server.close());

const isAcknowledged = ({ method }: Message) => method === 'notifications/subscriptions/acknowledged';

function listenTo({ request }: Linked, id: string, notifications: object): Promise<Message> {
  return request('subscriptions/listen', { notifications, _meta: envelope({}) }, id);
}

it('a subscription that takes the id of another takes its place: what only that one named is watched no more', async () => {
  const client = await linked(server);
  for (const resourceSubscriptions of [['app://one'], ['app://two'], ['app://two']]) {
    void listenTo(client, 'again', { resourceSubscriptions });
    await client.until(isAcknowledged);
  }
  await vi.waitFor(() => expect([...watched]).toEqual(['app://two']));
  void listenTo(client, 'again', { toolsListChanged: true });
  await client.until(isAcknowledged);
  await vi.waitFor(() => expect([...watched]).toEqual([]));
});

it('a subscription that is refused watches nothing', async () => {
  const client = await linked(server);
  const wrong = { resourceSubscriptions: ['app://one'], toolsListChanged: 'yes' };
  expect((await listenTo(client, 'wrong', wrong)).error).toMatchObject({ code: -32602 });
  await vi.waitFor(() => expect([...watched]).toEqual([]));
});
