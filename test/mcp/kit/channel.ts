import type { McpServer } from 'parley-mcp/server';
import type { Message } from './wire.ts';

type Channel = Parameters<McpServer['connect']>[0];

/** The client's end of a channel to a server in this process. */
export interface Linked {
  /** Sends a request, and waits for its answer. */
  request(method: string, params: object, id?: string): Promise<Message>;
  notify(method: string, params: object): void;
  /** Answers a request of the server's. */
  answer(id: string | number, result: object): void;
  /** What has come, and nobody has taken. */
  readonly untaken: readonly Message[];
  /** The next message, of those that nobody has taken, that fits; waits for one, and so many milliseconds at most. */
  until(fits: (message: Message) => boolean, milliseconds?: number): Promise<Message>;
}

/** Connects to a server without pipes or ports. */
export async function linked(server: McpServer): Promise<Linked> {
  const untaken: Message[] = [];
  const waiting = new Set<() => void>();
  const channel: Channel = {
    async start() {},
    async send(message) {
      // Through JSON, as every wire does.
      untaken.push(JSON.parse(JSON.stringify(message)) as Message);
      for (const look of [...waiting]) look();
    },
    async close() {
      channel.onclose?.();
    },
  };
  await server.connect(channel);
  let requests = 0;
  const deliver = (message: object) => channel.onmessage?.({ jsonrpc: '2.0', ...message } as never);
  const until: Linked['until'] = (fits, milliseconds = 20_000) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.delete(look);
        reject(new Error('the message did not come'));
      }, milliseconds);
      // Who is cancelled gets no answer, and the test's process does not stay for it.
      timer.unref();
      const look = () => {
        const at = untaken.findIndex(fits);
        if (at < 0) return;
        clearTimeout(timer);
        waiting.delete(look);
        resolve(untaken.splice(at, 1)[0] as Message);
      };
      waiting.add(look);
      look();
    });
  return {
    until,
    untaken,
    notify: (method, params) => deliver({ method, params }),
    answer: (id, result) => deliver({ id, result }),
    request(method, params, id = `request ${++requests}`) {
      deliver({ id, method, params });
      return until((message) => message.id === id && message.method === undefined, 600_000);
    },
  };
}
