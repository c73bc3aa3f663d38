import { EventEmitter } from 'node:events';
import type { Client } from 'pg';
import { expect, it } from 'vitest';
import { Notices } from '#src/stores/notices.ts';
import { listen } from '#src/stores/postgres/notices.ts';

/** A connection that can be told things. */
function connection() {
  const asked: string[] = [];
  const client = Object.assign(new EventEmitter(), {
    query: async (text: string) => void asked.push(text),
  });
  return {
    asked,
    client: client as unknown as Client,
    tell: (payload?: string) => client.emit('notification', { payload }),
  };
}

it('who watches a call looks when it is told of, and when there is a new connection: what the old one was told may be lost', async () => {
  const notices = new Notices();
  const looks: string[] = [];
  const stop = notices.watch('a', () => looks.push('a'));
  notices.watch('b', () => looks.push('b'));
  const first = connection();
  await listen(first.client, { channel: '"told"', notices });
  expect([first.asked, looks.splice(0)]).toEqual([['listen "told"'], ['a', 'b']]);
  first.tell('b');
  first.tell('another');
  first.tell();
  expect(looks.splice(0)).toEqual(['b']);
  stop();
  const second = connection();
  await listen(second.client, { channel: '"told"', notices });
  second.tell('a');
  expect(looks).toEqual(['b']);
});

it('each watch is its own, and may be stopped by what it calls', async () => {
  const notices = new Notices();
  const { client, tell } = connection();
  await listen(client, { channel: '"told"', notices });
  let looks = 0;
  const look = () => {
    looks += 1;
    stop();
  };
  const stop = notices.watch('a', look);
  notices.watch('a', look);
  tell('a');
  tell('a');
  expect(looks).toBe(3);
});
