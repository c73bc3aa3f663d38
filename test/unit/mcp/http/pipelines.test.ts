import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createHttpServer } from '#src/mcp/http/http-server.ts';
import { listening } from '#test/listening.ts';

/** A server that answers nothing by itself, and a connection to it. */
async function connected() {
  const asked: ServerResponse[] = [];
  const server = createHttpServer((_req, res) => void asked.push(res));
  const peer = connect(await listening(server), '127.0.0.1');
  let read = '';
  peer.on('data', (data) => {
    read += data.toString();
  });
  await once(peer, 'connect');
  onTestFinished(() => void peer.destroy());
  const send = (count: number) => peer.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(count));
  return { asked, peer, send, answers: () => read.split('HTTP/1.1 200').length - 1 };
}

it('a connection that asks on and on without an answer is dropped, and nothing more is done for it', async () => {
  const { asked, peer, send } = await connected();
  const closed = once(peer, 'close');
  peer.on('error', () => {});
  send(1_000);
  await closed;
  expect(asked).toHaveLength(32);
  await vi.waitFor(() => expect(asked.every(({ destroyed }) => destroyed)).toBe(true));
});

it('a connection that reads its answers may ask as often as it likes', async () => {
  const { asked, send, answers } = await connected();
  for (let round = 1; round <= 4; round += 1) {
    send(30);
    await vi.waitFor(() => expect(asked).toHaveLength(30));
    for (const res of asked.splice(0)) res.end();
    await vi.waitFor(() => expect(answers()).toBe(30 * round));
  }
});
