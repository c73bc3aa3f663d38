/** A server of 2026-07-28 on stdio that makes a task of each call, each of its tools with a way of its own to go on. */
import { createInterface } from 'node:readline';

type Json = Readonly<Record<string, unknown>>;

const send = (message: object) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const inputSchema = { type: 'object', properties: {} };
const answer = (text: string) => ({ result: { content: [{ type: 'text', text }] } });
const ask = (message: string) => ({
  method: 'elicitation/create',
  params: { message, requestedSchema: { type: 'object', properties: { answer: { type: 'string' } } } },
});

/** What was told of the tasks, for a tool that says it. */
const told: string[] = [];
const given: Record<string, unknown> = {};
let looks = 0;
let listened = false;
let over = false;
/** Answers the call of `late`, once nobody waits for it any more. */
let answerLate: (() => void) | undefined;

/** What a look at the task of a tool says; beginning it is look 0. */
const tools: Readonly<Record<string, (look: number) => Json>> = {
  told: () => ({ status: 'completed', ...answer(told.join('\n')) }),
  crash: (look) => (look > 0 ? process.exit(3) : { status: 'working' }),
  forgotten: (look) =>
    look > 0 ? { error: { code: -32602, message: 'no such task' } } : { status: 'working', ttlMs: 1 },
  endless: () => ({ status: 'working', statusMessage: 'still at it' }),
  late: () => ({ status: 'working' }),
  cancelled: (look) => ({ status: look > 0 ? 'cancelled' : 'working', statusMessage: 'changed its mind' }),
  failed: () => ({ status: 'failed', error: { code: -32000, message: 'it broke' } }),
  nothing: () => ({ status: 'completed' }),
  wrong: () => ({ status: 'completed', result: { content: 'many' } }),
  unreadable: () => ({ status: 'on its way' }),
  strange: () => ({ status: 'input_required', inputRequests: { a: { method: 'shell/run', params: {} } } }),
  crowd: () => ({
    status: 'input_required',
    inputRequests: Object.fromEntries(
      Array.from({ length: 100 }, (_, at) => [`q${at}`, ask(`question ${at}`)]),
    ),
  }),
  both: () =>
    Object.keys(given).length < 2
      ? { status: 'input_required', inputRequests: { one: ask('One?'), two: ask('Two?') } }
      : { status: 'completed', ...answer(JSON.stringify(given)) },
  withdrawn: (look) =>
    look === 1
      ? { status: 'input_required', inputRequests: { late: ask('Too late?') } }
      : look > 1
        ? { status: 'completed', ...answer('without it') }
        : { status: 'working' },
  // Goes on once somebody listens, and would be looked at ten times a second until it is over.
  heard: () => ({
    pollIntervalMs: 0,
    ...(over ? { status: 'completed', ...answer(`${looks}`) } : { status: 'working' }),
  }),
  // The same, but who listens hears nothing: its stream has ended.
  mute: () => (listened ? { status: 'completed', ...answer('heard of nothing') } : { status: 'working' }),
  flood(look) {
    for (let at = 0; at < 1_000; at++) {
      send({
        method: 'notifications/tasks',
        params: { taskId: 'flood', status: 'working', statusMessage: `${at}` },
      });
    }
    return look > 3
      ? { status: 'completed', ...answer(`after ${look} looks`) }
      : { status: 'working', pollIntervalMs: 0 };
  },
};

const handlers: Readonly<Record<string, (params: Json) => Json>> = {
  'server/discover': () => ({
    supportedVersions: ['2026-07-28'],
    capabilities: { tools: {}, extensions: { 'io.modelcontextprotocol/tasks': {} } },
    serverInfo: { name: 'tasks', version: '1' },
    ttlMs: 0,
    cacheScope: 'private',
  }),
  'tools/list': () => ({
    tools: Object.keys(tools).map((name) => ({ name, inputSchema })),
    ttlMs: 0,
    cacheScope: 'private',
  }),
  'tools/call': ({ name }) => ({ ...stateOf(String(name)), resultType: 'task' }),
  'tasks/get': ({ taskId }) => {
    looks += 1;
    return stateOf(String(taskId));
  },
  'tasks/update': ({ inputResponses }) => {
    Object.assign(given, inputResponses);
    return {};
  },
  'tasks/cancel': ({ taskId }) => {
    told.push(`cancel ${taskId}`);
    return {};
  },
};

/** Tells how one task stands, and that it is over a second later; of `mute` nothing at all. */
function listen(id: number | string, { notifications }: Json): void {
  const { taskIds = [] } = notifications as { taskIds?: readonly string[] };
  const [name = ''] = taskIds;
  if (name !== 'heard' && name !== 'mute') {
    send({ id, error: { code: -32601, message: 'unknown: subscriptions/listen' } });
    return;
  }
  listened = true;
  const _meta = { 'io.modelcontextprotocol/subscriptionId': id };
  send({ method: 'notifications/subscriptions/acknowledged', params: { notifications: { taskIds }, _meta } });
  if (name === 'mute') {
    send({ id, result: { resultType: 'complete', _meta } });
    return;
  }
  const tell = () => send({ method: 'notifications/tasks', params: { ...stateOf(name), _meta } });
  tell();
  setTimeout(() => {
    over = true;
    tell();
  }, 2_000);
}

function stateOf(name: string): Json {
  const at = new Date().toISOString();
  const times = { createdAt: at, lastUpdatedAt: at, ttlMs: null, pollIntervalMs: 100 };
  return { taskId: name, ...times, ...tools[name]?.(looks) };
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const {
    id,
    method = '',
    params = {},
  } = JSON.parse(line) as { id?: number | string; method?: string; params?: Json };
  if (id === undefined) {
    if (method === 'notifications/cancelled') answerLate?.();
    return;
  }
  if (params.name === 'late') {
    answerLate = () => send({ id, result: { ...stateOf('late'), resultType: 'task' } });
    return send({ method: 'notifications/message', params: { level: 'info', data: 'it is here' } });
  }
  if (method === 'subscriptions/listen') return listen(id, params);
  const handle = handlers[method];
  if (!handle) return send({ id, error: { code: -32601, message: `unknown: ${method}` } });
  const { error, ...result } = handle(params);
  // Of a look: the error of a task is a part of its state.
  if (error && result.status === undefined) send({ id, error });
  else send({ id, result: { resultType: 'complete', ...result, ...(error ? { error } : {}) } });
});
process.stdin.on('end', () => process.exit(0));
