import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that the scripted model got. */
export interface Asked {
  readonly headers: IncomingHttpHeaders;
  readonly path: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into it as far as they need
  readonly body: any;
}

/** What it answers with: a body, or a status and a text. */
export type Reply =
  | { readonly status: number; readonly text?: string; readonly headers?: Record<string, string> }
  | object;

/** An OpenAI-compatible server that answers from a script; `undefined` for never. */
export interface ScriptedModel {
  readonly url: string;
  readonly asked: Asked[];
  close(): Promise<void>;
}

/** A `chat.completion` with this message. */
export function completion(message: object, finish = 'stop', usage?: object): object {
  return {
    id: 'c1',
    object: 'chat.completion',
    model: 'scripted-1',
    choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finish }],
    ...(usage ? { usage } : {}),
  };
}

/** Starts one. */
export async function scriptedModel(
  answer: (asked: Asked, at: number) => Reply | undefined,
): Promise<ScriptedModel> {
  const asked: Asked[] = [];
  const server = createServer(async (req, res) => {
    let text = '';
    for await (const chunk of req) text += String(chunk);
    const one = {
      headers: req.headers,
      path: req.url ?? '',
      body: text === '' ? undefined : JSON.parse(text),
    };
    asked.push(one);
    const reply = answer(one, asked.length);
    if (reply === undefined) return;
    if ('status' in reply) res.writeHead(reply.status, reply.headers).end(reply.text ?? '');
    else res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(reply));
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
