import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { run } from 'effection';
import { beforeEach, describe, expect, it } from 'vitest';
import type { SampleAskRequest } from '#src/core/tool/ask.ts';
import { decodeRequest } from '#src/vscode/agents/lm/decode-request.ts';
import { encodeRequest } from '#src/vscode/calls/sampler/encode.ts';
import { createOwnModels, modelAddress } from '#src/vscode/calls/sampler/own-models.ts';
import { listening } from '#test/listening.ts';

type Answer = (req: IncomingMessage, res: ServerResponse) => void;

/** A server that answers as a test says, and keeps what it was asked. */
async function served(answer: Answer) {
  const asked: { key: string | undefined; body: Record<string, unknown> }[] = [];
  const server = createServer(async (req, res) => {
    let text = '';
    for await (const chunk of req) text += String(chunk);
    asked.push({ key: req.headers.authorization, body: text === '' ? {} : JSON.parse(text) });
    answer(req, res);
  });
  return { url: `http://127.0.0.1:${await listening(server)}/v1`, asked };
}

const EVENTS = { 'content-type': 'text/event-stream' };

/** A stream of these chunks, which then says that it is done. */
function streaming(...chunks: readonly object[]): Answer {
  return (_, res) => {
    res.writeHead(200, EVENTS);
    for (const chunk of chunks) res.write(`data: ${JSON.stringify(chunk)}\n\n`);
    res.end('data: [DONE]\n\n');
  };
}

const delta = (given: object, reason: string | null = null) => ({
  choices: [{ index: 0, delta: given, finish_reason: reason }],
});

const request: SampleAskRequest = {
  messages: [{ role: 'user', content: { type: 'text', text: 'Hi' } }],
  maxTokens: 100,
};

let kept: Map<string, string>;
beforeEach(() => {
  kept = new Map();
});

function modelsAt(...entries: readonly unknown[]) {
  const secrets = {
    get: async (key: string) => kept.get(key),
    store: async (key: string, value: string) => void kept.set(key, value),
    delete: async (key: string) => void kept.delete(key),
  };
  return createOwnModels(
    secrets as unknown as Parameters<typeof createOwnModels>[0],
    () => entries as ReturnType<Parameters<typeof createOwnModels>[1]>,
  );
}

/** Asks the only model, and gives what came of it with the pieces that were streamed. */
async function ask(models: ReturnType<typeof modelsAt>, given = request) {
  const pieces: string[] = [];
  const [model] = models.list();
  if (!model) throw new Error('no model');
  const answer = await run(() =>
    model.respond(given, function* (text) {
      pieces.push(text);
    }),
  );
  return { answer, pieces };
}

describe("a model of the person's own", () => {
  it('streams its answer, text and calls of tools, with the key of its origin', async () => {
    const call = (given: object) => delta({ tool_calls: [{ index: 0, ...given }] });
    const { url, asked } = await served(
      streaming(
        { model: 'qwen3-8b', ...delta({ role: 'assistant', content: 'Hello, ' }) },
        delta({ content: 'Ada' }),
        call({ id: 'c1', function: { name: 'look', arguments: '{"at":' } }),
        call({ function: { arguments: '"a.ts"}' } }),
        delta({}, 'tool_calls'),
      ),
    );
    const models = modelsAt({ name: 'Mine', url, model: 'qwen3' });
    await run(() => models.keepKey(new URL(url), 'secret'));
    expect(models.list()[0]).toMatchObject({ vendor: 'parley', id: 'qwen3', name: 'Mine', allowed: true });
    expect(await ask(models)).toEqual({
      answer: {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Hello, Ada' },
          { type: 'tool_use', id: 'c1', name: 'look', input: { at: 'a.ts' } },
        ],
        model: 'qwen3-8b',
        stopReason: 'toolUse',
      },
      pieces: ['Hello, ', 'Ada'],
    });
    expect(asked).toEqual([
      {
        key: 'Bearer secret',
        body: expect.objectContaining({ model: 'qwen3', stream: true, max_tokens: 100 }),
      },
    ]);
  });

  it('answers as well where its server does not stream', async () => {
    const { url } = await served((_, res) => {
      const message = { role: 'assistant', content: 'Hello' };
      res.writeHead(200).end(JSON.stringify({ choices: [{ message, finish_reason: 'stop' }] }));
    });
    const { answer, pieces } = await ask(modelsAt({ url, model: 'm' }));
    expect([answer.content, pieces]).toEqual([{ type: 'text', text: 'Hello' }, []]);
  });

  it('gets a key at the origin that it was given for, and at no other', async () => {
    const answer = streaming(delta({ content: 'x' }, 'stop'));
    const [one, other] = [await served(answer), await served(answer)];
    await run(() => modelsAt().keepKey(new URL(one.url), 'secret'));
    await ask(modelsAt({ url: one.url, model: 'm' }));
    await ask(modelsAt({ url: other.url, model: 'm' }));
    expect([one.asked[0]?.key, other.asked[0]?.key]).toEqual(['Bearer secret', undefined]);
    await run(() => modelsAt().keepKey(new URL(one.url), ''));
    expect(kept.size).toBe(0);
  });

  it('takes no key along where its server sends it elsewhere', async () => {
    const elsewhere = await served(streaming(delta({ content: 'x' }, 'stop')));
    const { url } = await served((_, res) => {
      res.writeHead(307, { location: `${elsewhere.url}/chat/completions` }).end();
    });
    await run(() => modelsAt().keepKey(new URL(url), 'secret'));
    await expect(ask(modelsAt({ url, model: 'm' }))).rejects.toThrow('cannot be reached');
    expect(elsewhere.asked).toEqual([]);
  });

  it.each([
    ['http://models.example.com/v1'],
    ['http://192.168.0.7:11434/v1'],
    ['ftp://127.0.0.1/v1'],
    ['https://me:secret@models.example.com/v1'],
    ['models'],
  ])('is not asked at %s', async (url) => {
    expect(modelAddress(url)).toBeUndefined();
    await expect(ask(modelsAt({ url, model: 'm' }))).rejects.toThrow(
      'is at an https address, or on this machine',
    );
  });

  it.each<[string, Answer, string]>([
    [
      'never ends',
      (_, res) => {
        res.writeHead(200, EVENTS);
        const more = () => {
          while (
            !res.destroyed &&
            res.write(`data: ${JSON.stringify(delta({ content: 'la '.repeat(1000) }))}\n\n`)
          );
          if (!res.destroyed) res.once('drain', more);
        };
        more();
      },
      'goes on beyond the length',
    ],
    [
      'is 400 MB long',
      (_, res) => {
        res.writeHead(200, { 'content-length': 400 * 1024 ** 2 });
        const block = Buffer.alloc(2 ** 20, ' ');
        const more = () => {
          while (!res.destroyed && res.write(block));
          if (!res.destroyed) res.once('drain', more);
        };
        more();
      },
      'longer than 16 MiB',
    ],
    [
      'is a line without end',
      (_, res) => res.writeHead(200, EVENTS).end('x'.repeat(2 ** 21)),
      'beyond|no stream',
    ],
    ['is no JSON', (_, res) => res.writeHead(200).end('<html>'), 'is not JSON'],
    [
      'has a chunk that is no JSON',
      (_, res) => res.writeHead(200, EVENTS).end('data: {"a\n\n'),
      'is not JSON',
    ],
    ['is JSON of something else', (_, res) => res.writeHead(200).end('[1]'), 'not a chat completion'],
    [
      'breaks off',
      (_, res) => {
        res.writeHead(200, EVENTS);
        res.write(`data: ${JSON.stringify(delta({ content: 'x' }))}\n\n`, () => res.destroy());
      },
      'broke off',
    ],
    ['ends before it says why', (_, res) => res.writeHead(200, EVENTS).end('data: {}\n\n'), 'broke off'],
    ['says what failed', streaming({ error: { message: 'out of memory' } }), 'failed: out of memory'],
    [
      'calls a tool out of order',
      streaming(delta({ tool_calls: [{ index: 9e9, id: 'x' }] })),
      'in a way that cannot be read',
    ],
    ['refuses the key', (_, res) => res.writeHead(401).end('{}'), 'Run “Parley: Add Model…”'],
  ])('ends in words where the answer %s', async (_, answer, words) => {
    const { url } = await served(answer);
    await expect(ask(modelsAt({ url, model: 'm' }))).rejects.toThrow(new RegExp(words));
  });

  it('is asked no more when the sampling is halted', async () => {
    let gone = () => {};
    const closed = new Promise<void>((resolve) => {
      gone = resolve;
    });
    let came = () => {};
    const first = new Promise<void>((resolve) => {
      came = resolve;
    });
    const { url } = await served((_, res) => {
      res.on('close', gone);
      res.writeHead(200, EVENTS).write(`data: ${JSON.stringify(delta({ content: 'x' }))}\n\n`);
    });
    const [model] = modelsAt({ url, model: 'm' }).list();
    const task = run(function* () {
      yield* model?.respond(request, function* () {
        came();
      }) ?? [];
    });
    await first;
    await task.halt();
    await closed;
  });

  it('is none where the setting does not say where and which', () => {
    expect(modelsAt(1, null, { url: 'http://127.0.0.1' }, { model: 'm' }).list()).toEqual([]);
  });
});

describe('a request of the chat', () => {
  it('comes back as the sampling that it was made of', () => {
    const asked: SampleAskRequest = {
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Look' },
            { type: 'image', data: 'AAAA', mimeType: 'image/png' },
          ],
        },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'look', input: { at: 'a' } }] },
        {
          role: 'user',
          content: [{ type: 'tool_result', toolUseId: 'c1', content: [{ type: 'text', text: 'seen' }] }],
        },
      ],
      maxTokens: 100,
      temperature: 0.5,
      tools: [{ name: 'look', description: 'Looks', inputSchema: { type: 'object' } }],
      toolChoice: { mode: 'required' },
    };
    expect(decodeRequest(encodeRequest(asked), 8_000)).toEqual(asked);
    expect(decodeRequest({ ...encodeRequest(request), modelOptions: {} }, 8_000)).toEqual({
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
      maxTokens: 8_000,
    });
  });
});
