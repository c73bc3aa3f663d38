import { setImmediate } from 'node:timers/promises';
import { suspend } from 'effection';
import { createMcpTool } from 'parley-mcp';
import { createMcpServer } from 'parley-mcp/server';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { type Linked, linked } from './kit/channel.ts';
import { TASKS } from './kit/tasks.ts';
import { envelope, type Message } from './kit/wire.ts';

/** A server with a tool that never ends, and which of its calls have begun and run. */
async function serving() {
  const calls = { begun: 0, running: new Set<string>() };
  const endless = createMcpTool('endless')
    .description('Never ends')
    .parameters(z.object({ call: z.string() }))
    .task({ required: true })
    .elicits({})
    .execute(function* ({ call }) {
      calls.begun += 1;
      calls.running.add(call);
      try {
        yield* suspend();
      } finally {
        calls.running.delete(call);
      }
      return '';
    });
  const server = createMcpServer({ name: 'test', version: '1', tools: [endless] });
  onTestFinished(() => server.close());
  return { calls, channel: await linked(server) };
}

/** Begins to talk, and gives what a call says beside its tool. */
const TALKS: Readonly<Record<string, (channel: Linked) => Promise<object>>> = {
  async '2026-07-28'(channel) {
    const _meta = envelope(TASKS);
    await channel.request('tools/list', { _meta });
    return { _meta };
  },
  async '2025-11-25'(channel) {
    await channel.request('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    });
    channel.notify('notifications/initialized', {});
    return { task: {} };
  },
};

/** Until what a message sets off without waiting for anything has happened as far as this. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await Promise.resolve();
}

describe.each(Object.keys(TALKS))(
  'a call of %s that becomes a task, and is cancelled while it does',
  (era) => {
    it('is no task, or one of which its client hears: none works for nobody', async () => {
      const { calls, channel } = await serving();
      const more = await TALKS[era]?.(channel);
      const heard = new Set<string>();
      for (let count = 0; count < 150; count++) {
        const id = `call ${count}`;
        const request = { name: 'endless', arguments: { call: id }, ...more };
        const tell = ({ result }: Message) => result && heard.add(id);
        channel.request('tools/call', request, id).then(tell, () => {});
        await turns(count);
        // Some are begun before they are cancelled.
        if (count % 3 === 0) await setImmediate();
        channel.notify('notifications/cancelled', { requestId: id });
        await turns(1_000);
      }
      await expect.poll(() => [...calls.running].filter((id) => !heard.has(id))).toEqual([]);
      expect(calls.begun).toBeGreaterThan(0);
      expect(heard.size).toBeGreaterThan(0);
    });
  },
);
