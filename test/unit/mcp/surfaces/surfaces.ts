import { type Operation, race, withResolvers } from 'effection';
import * as z from 'zod';
import type { CallSnapshot } from '#src/calls/messages.ts';
import type { CallAttachment } from '#src/calls/port.ts';
import { createMcpTool } from '#src/core/index.ts';
import type { ElicitAnswer } from '#src/core/tool/ask.ts';
import { createHost, type RunningServer } from '#src/mcp/create-host.ts';
import { ChannelServer } from '#src/mcp/stdio/channel-server.ts';
import type { MessageTransport } from '#src/mcp/stdio/line-transport.ts';
import type { RpcMessage } from '#src/mcp/wire/rpc/json-rpc.ts';
import { digestOf } from '#src/mcp/wire/state/state.ts';
import { answerForm } from '#src/panel-port/index.ts';
import type { CallName, CallStore } from '#src/runtime/journal/call-store.ts';
import type { Client } from '#src/runtime/session/client.ts';
import { type Person, person } from '#test/mcp/kit/person.ts';
import { envelope, type Message } from '#test/mcp/kit/wire.ts';

/** Whose the calls are, whatever they are answered on. */
export const PRINCIPAL = 'ann';

const row = z.object({ row: z.int().min(1) });

const described = createMcpTool('seat').description('Asks for a row').parameters(z.object({})).task();

const which = { message: 'Which row?' };

/** Asks once, in a process that keeps it, and in any that shares its store. */
export const tools = {
  pinned: described.elicits({ row }).execute(function* (_, ctx) {
    return `row ${(yield* ctx.elicit.strict('row', which)).row}`;
  }),
  durable: described
    .durable()
    .elicits({ row })
    .execute(function* (_, ctx) {
      return `row ${(yield* ctx.elicit.strict('row', which)).row}`;
    }),
};

const capabilities = { elicitation: { form: true } } as const;

/** One process: its server, and its calls. */
export interface Place extends RunningServer {
  readonly tool: (typeof tools)[keyof typeof tools];
  /** Who is asked in a browser. */
  readonly person: Person;
  close(): Promise<void>;
}

/** Starts the server of a process. */
export async function startPlace(tool: Place['tool'], state?: CallStore): Promise<Place> {
  const asked = person();
  const options = {
    name: 'test',
    version: '1.0.0',
    tools: [tool],
    page: asked.page,
    ...(state && { state }),
  };
  const source = createHost(options, () => {});
  const close = async () => {
    await source.close();
    asked.page.close();
  };
  return { ...(await source.get()), tool, person: asked, close };
}

/** A call on one surface. */
export interface OnSurface {
  /** Waits until it shows the question, for the so-manieth time. */
  asked(attempt: number): Promise<void>;
  /** Answers as its person would. */
  answer(row: number): Promise<unknown>;
  /** Hears that the question is not to be answered any more: of itself, or when it tries to. */
  closed(): Promise<void>;
  /** What it says of the end; nothing where it only sees that the call is there no more. */
  ended(): Promise<string | undefined>;
  /** It is gone, without a word. */
  die(): Promise<void>;
}

/** Where a call can be answered. */
export interface Surface {
  readonly name: string;
  /** It shows a question while it is attached, and so holds the call. */
  readonly holds: boolean;
}

/** Where a call begins. */
export interface Begins extends Surface {
  begin(place: Place): Promise<OnSurface>;
}

/** What comes to a call that is there. */
export interface Joins extends Surface {
  join(place: Place, name: CallName): Promise<OnSurface>;
}

/** What comes, in order, for who waits for it. */
function mailbox<T>() {
  const got: T[] = [];
  const lookers = new Set<() => void>();
  return {
    got,
    put(one: T) {
      got.push(one);
      for (const look of [...lookers]) look();
    },
    until<F extends T>(fits: (one: T) => one is F, nth = 1): Promise<F> {
      return new Promise((resolve) => {
        const look = () => {
          const found = got.filter(fits)[nth - 1];
          if (!found) return;
          lookers.delete(look);
          resolve(found);
        };
        lookers.add(look);
        look();
      });
    },
  };
}

/** The client's end of a channel to a server in this process. */
function linked() {
  const box = mailbox<Message>();
  const channel: MessageTransport = {
    async start() {},
    async send(message) {
      box.put(message as Message);
    },
    async close() {
      channel.onclose?.();
    },
  };
  const say = (message: object) => channel.onmessage?.({ jsonrpc: '2.0', ...message } as RpcMessage);
  return { channel, say, ...box };
}

const named =
  (method: string) =>
  (one: Message): one is Message =>
    one.method === method;
const answerTo =
  (id: unknown) =>
  (one: Message): one is Message =>
    one.id === id && !one.method;

function textOf({ result, error }: Message): string {
  return error?.message ?? result.content[0].text;
}

/** It is asked while its request is open. */
export const client2025: Begins = {
  name: 'a client of 2025-11-25',
  holds: true,
  async begin({ calls }) {
    const { channel, say, until: heard } = linked();
    new ChannelServer(channel, { calls, caller: { name: PRINCIPAL } });
    say({
      id: 0,
      method: 'initialize',
      params: {
        protocolVersion: '2025-11-25',
        capabilities: { elicitation: {} },
        clientInfo: { name: 'client', version: '1' },
      },
    });
    await heard(answerTo(0));
    say({ method: 'notifications/initialized' });
    say({ id: 1, method: 'tools/call', params: { name: 'seat', arguments: {} } });
    let last: Message['id'];
    return {
      async asked(attempt) {
        last = (await heard(named('elicitation/create'), attempt)).id;
      },
      async answer(content) {
        say({ id: last, result: { action: 'accept', content: { row: content } } });
      },
      async closed() {
        const { params } = await heard(named('notifications/cancelled'));
        if (params.requestId !== last) throw new Error('another question was closed');
      },
      ended: async () => textOf(await heard(answerTo(1))),
      die: async () => channel.onclose?.(),
    };
  },
};

/** Its person is asked in a browser, beside its request. */
export const inBrowser: Begins = {
  name: 'a client without forms, and its person’s browser',
  holds: true,
  async begin({ calls, person: asked }) {
    const { channel, say, until: heard } = linked();
    new ChannelServer(channel, { calls, caller: { name: PRINCIPAL } });
    const clientInfo = { name: 'client', version: '1' };
    say({
      id: 0,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo },
    });
    await heard(answerTo(0));
    say({ id: 1, method: 'tools/call', params: { name: 'seat', arguments: {} } });
    const tab = await asked.tab();
    const [page] = await tab.asking();
    if (!page) throw new Error('nothing is asked');
    let last = await tab.question(page);
    return {
      async asked(attempt) {
        while (last.attempt < attempt) last = await tab.question(page);
      },
      async answer(content) {
        await tab.say(
          page,
          answerForm({ questionId: last.id, attempt: last.attempt, content: { row: content } }),
        );
      },
      async closed() {
        for (let at = 0, isOpen = true; isOpen; ) {
          const listed = await tab.list(at);
          at = listed.at;
          isOpen = listed.pages.some(({ open }) => open);
        }
      },
      ended: async () => textOf(await heard(answerTo(1))),
      die: async () => channel.onclose?.(),
    };
  },
};

/** It is asked by what its request comes back with. */
export const client2026: Begins = {
  name: 'a client of 2026-07-28',
  holds: false,
  async begin({ calls }) {
    const { channel, say, until: heard } = linked();
    new ChannelServer(channel, { calls, caller: { name: PRINCIPAL } });
    let requests = 0;
    const call = (more: object) => {
      const id = ++requests;
      const _meta = envelope({ elicitation: {} });
      say({ id, method: 'tools/call', params: { name: 'seat', arguments: {}, _meta, ...more } });
      return heard(answerTo(id));
    };
    let reply = await call({});
    let shown = 1;
    const answer = async (content: number) => {
      const inputResponses = { row: { action: 'accept', content: { row: content } } };
      reply = await call({ requestState: reply.result.requestState, inputResponses });
      if (reply.error) throw new Error(reply.error.message);
      if (reply.result.inputRequests) shown += 1;
    };
    return {
      // It hears of what others do when it comes back; what it says then is about what it saw.
      async asked(attempt) {
        if (shown < attempt) await answer(9);
        if (shown < attempt) throw new Error(`it is not asked again: ${JSON.stringify(reply)}`);
      },
      answer,
      // It hears of that when it comes back.
      closed: () => answer(9),
      async ended() {
        if (reply.result?.inputRequests) await answer(9);
        return textOf(reply);
      },
      // Between its requests there is nothing of it.
      async die() {},
    };
  },
};

/** It is asked by what its looks at the task say. */
export const task2026: Begins = {
  name: 'a task of 2026-07-28',
  holds: false,
  async begin({ calls }) {
    const { channel, say, until: heard } = linked();
    new ChannelServer(channel, { calls, caller: { name: PRINCIPAL } });
    const capabilities = { elicitation: {}, extensions: { 'io.modelcontextprotocol/tasks': {} } };
    let requests = 0;
    const request = (method: string, params: object) => {
      const id = ++requests;
      say({ id, method, params: { ...params, _meta: envelope(capabilities) } });
      return heard(answerTo(id));
    };
    const { taskId } = (await request('tools/call', { name: 'seat', arguments: {} })).result;
    const becomes = async (fits: (task: Message['result']) => boolean): Promise<Message['result']> => {
      for (;;) {
        const { result } = await request('tasks/get', { taskId });
        if (fits(result)) return result;
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    let key = '';
    return {
      async asked(attempt) {
        key = attempt === 1 ? 'row' : `row~${attempt}`;
        await becomes(({ inputRequests }) => inputRequests?.[key] !== undefined);
      },
      answer: (content) =>
        request('tasks/update', {
          taskId,
          inputResponses: { [key]: { action: 'accept', content: { row: content } } },
        }),
      async closed() {
        await becomes(({ inputRequests }) => inputRequests === undefined);
      },
      async ended() {
        const task = await becomes(({ status }) => !['working', 'input_required'].includes(status));
        return task.result?.content[0].text ?? task.error?.message ?? `aborted: ${task.status}`;
      },
      // Between its looks there is nothing of it.
      async die() {},
    };
  },
};

/** Attaches with a client of which a test plays the person. */
function onPanel({ host }: Place, attach: (client: Client) => Operation<CallSnapshot>): OnSurface {
  const asks = mailbox<{ readonly answer: (given: ElicitAnswer<unknown>) => void }>();
  const over = mailbox<true>();
  let open = 0;
  const client: Client = {
    name: 'panel',
    capabilities: () => capabilities,
    can: () => true,
    *elicit() {
      const { operation, resolve } = withResolvers<ElicitAnswer<unknown>>('the person answers');
      open += 1;
      asks.put({ answer: resolve });
      try {
        return yield* operation;
      } finally {
        open -= 1;
        over.put(true);
      }
    },
  };
  const died = withResolvers<undefined>('the panel dies');
  const end = host.run(() => race([attach(client), died.operation]));
  end.catch(() => {});
  const any = (_: unknown): _ is never => true;
  return {
    async asked(attempt) {
      await asks.until(any, attempt);
    },
    async answer(content) {
      asks.got.at(-1)?.answer({ action: 'accept', content: { row: content } });
    },
    async closed() {
      await over.until(any, asks.got.length);
      if (open > 0) throw new Error('a question is open');
    },
    ended: async () => endText(await end),
    async die() {
      died.resolve(undefined);
      await end;
    },
  };
}

function endText(snapshot: CallSnapshot | undefined): string {
  const { end } = snapshot ?? {};
  if (end?.type === 'result') return String(end.value);
  return end?.type === 'aborted' ? `aborted: ${end.reason}` : `${end?.type}`;
}

const attaching = ({ host, tool }: Place, client: Client): CallAttachment => ({
  client,
  resume: (options) => host.manager.resume({ ...options, tool, capabilities }),
});

/** Whoever attaches with verbs. */
export const panel: Begins & Joins = {
  name: 'a panel',
  holds: true,
  async begin(place) {
    const { host, calls, tool } = place;
    return onPanel(place, (client) =>
      calls.calls.start(
        {
          ...attaching(place, client),
          movable: tool === tools.durable,
          create: (options) =>
            host.manager.create({ ...options, tool, params: {}, capabilities, principal: PRINCIPAL }),
        },
        { digest: '' },
      ),
    );
  },
  async join(place, name) {
    return onPanel(place, (client) => place.calls.calls.attach(name, attaching(place, client), 'end'));
  },
};

let messages = 0;

/** Whoever leaves messages, and is never attached. */
export const inbox: Joins = {
  name: 'an inbox',
  holds: false,
  async join({ host, calls: { calls } }, name) {
    const stands = (fits: (snapshot: CallSnapshot | undefined) => boolean) =>
      host.run(function* () {
        for (;;) {
          const news = withResolvers<void>('news of the call');
          const stop = calls.watch(name, news.resolve);
          try {
            const snapshot = yield* calls.get(name);
            if (fits(snapshot)) return snapshot;
            yield* news.operation;
          } finally {
            stop();
          }
        }
      });
    return {
      async asked(attempt) {
        await stands((snapshot) => snapshot?.asks[0]?.attempt === attempt);
      },
      answer(content) {
        const answers = { row: { action: 'accept', content: { row: content } } };
        const id = `message ${++messages}`;
        return host.run(() => calls.send(name, { id, digest: digestOf(answers), answers }));
      },
      async closed() {
        await stands((snapshot) => (snapshot?.asks.length ?? 0) === 0);
      },
      async ended() {
        const snapshot = await stands((found) => !found || found.end !== undefined);
        return snapshot && endText(snapshot);
      },
      async die() {},
    };
  },
};

/** The only call there is. */
export async function onlyCall({ host, calls }: Place): Promise<CallName> {
  const [found, ...others] = await host.run(() => calls.calls.list({ principal: PRINCIPAL }));
  if (!found || others.length > 0) throw new Error('there is not one call');
  return found.name;
}

/** Whoever wants a call to end. */
export function stop({ host, calls }: Place, name: CallName): Promise<unknown> {
  return host.run(() => calls.calls.send(name, { id: 'stop', digest: '', stop: 'enough' }));
}
