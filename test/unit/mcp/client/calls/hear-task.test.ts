import { Client, InMemoryTransport, type JSONRPCMessage } from '@modelcontextprotocol/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Bell } from '#src/mcp/client/calls/bell.ts';
import { hearTask } from '#src/mcp/client/calls/hear-task.ts';

/** A client of a server of 2025-11-25 that says nothing by itself. */
async function connected() {
  const [here, there] = InMemoryTransport.createLinkedPair();
  const serverInfo = { name: 'quiet', version: '1' };
  there.onmessage = (message) => {
    if (!('id' in message && 'method' in message && message.method === 'initialize')) return;
    const result = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo };
    void there.send({ jsonrpc: '2.0', id: message.id, result } as JSONRPCMessage);
  };
  await there.start();
  const client = new Client(serverInfo, { versionNegotiation: { mode: 'legacy' } });
  await client.connect(here);
  onTestFinished(() => client.close());
  const say = async (taskId: unknown) => {
    await there.send({
      jsonrpc: '2.0',
      method: 'notifications/tasks/status',
      params: { taskId, status: 'working' },
    } as JSONRPCMessage);
    // It has been handled when what came after it is answered.
    await client.ping().catch(() => {});
  };
  there.onmessage = (message) => {
    if ('id' in message && 'method' in message)
      void there.send({ jsonrpc: '2.0', id: message.id, result: {} } as JSONRPCMessage);
  };
  return { client, say };
}

/** A bell, and how often it rang. */
function counted() {
  const bell = new Bell();
  const rings = { count: 0 };
  bell.onRing(() => {
    rings.count += 1;
    bell.heed();
  });
  return { bell, rings };
}

describe('a task of 2025-11-25', () => {
  it('rings with what its server says of it by itself, until nobody hears any more', async () => {
    const { client, say } = await connected();
    const mine = counted();
    const same = counted();
    const other = counted();
    const news = hearTask(client, 'mine', mine.bell);
    hearTask(client, 'mine', same.bell);
    hearTask(client, 'other', other.bell);
    await say('mine');
    expect([mine, same, other].map(({ rings }) => rings.count)).toEqual([1, 1, 0]);
    // It is asked as often as ever: no server of this generation has said that it tells everything.
    expect(news.isTold()).toBe(false);
    news.close();
    await say('mine');
    await say(7);
    await say('__proto__');
    expect([mine, same, other].map(({ rings }) => rings.count)).toEqual([1, 2, 0]);
  });
});

describe('a bell', () => {
  it('that rang while nobody waited rings for the next one, until it is heeded', () => {
    const bell = new Bell();
    const rung: string[] = [];
    const stop = bell.onRing(() => rung.push('first'));
    stop();
    bell.ring();
    bell.onRing(() => rung.push('second'))();
    bell.heed();
    bell.onRing(() => rung.push('third'));
    expect(rung).toEqual(['second']);
    bell.ring();
    expect(rung).toEqual(['second', 'third']);
  });
});
