/**
 * A server with habits of programs that people report. It has a tool that says something, one that asks, a prompt and a resource. As a
 * program it speaks on stdio: its first argument is the era, the others are its habits.
 */
import { createInterface } from 'node:readline';

/** A message, which may be anything: that is what this is about. */
// biome-ignore lint/suspicious/noExplicitAny: habits change messages into what they should not be.
export type Sent = any;

export type Era = '2025' | '2026';

const inputSchema = { type: 'object', properties: { text: { type: 'string' } } };
const requestedSchema = {
  type: 'object',
  properties: { colour: { type: 'string', enum: ['red', 'blue'] }, count: { type: 'integer' } },
  required: ['colour'],
};
const question = {
  method: 'elicitation/create',
  params: { mode: 'form', message: 'Which colour?', requestedSchema },
};
const text = (said: string) => ({ content: [{ type: 'text', text: said }] });

function handshake(era: Era) {
  const capabilities = { tools: { listChanged: true }, prompts: {}, resources: {}, logging: {} };
  return era === '2026'
    ? { supportedVersions: ['2026-07-28'], capabilities }
    : { protocolVersion: '2025-11-25', capabilities, serverInfo: { name: 'odd', version: '1' } };
}

const RESULTS: Readonly<Record<string, Sent>> = {
  'tools/list': {
    tools: [
      { name: 'say', inputSchema },
      { name: 'ask', inputSchema },
      { name: 'fail', inputSchema },
    ],
  },
  'prompts/list': { prompts: [{ name: 'greet', arguments: [{ name: 'who', required: true }] }] },
  'prompts/get': { messages: [{ role: 'user', content: { type: 'text', text: 'Hello' } }] },
  'resources/list': { resources: [{ name: 'a', uri: 'file:///a' }] },
  'resources/templates/list': { resourceTemplates: [] },
  'resources/read': { contents: [{ uri: 'file:///a', text: 'what it reads' }] },
  ping: {},
  'logging/setLevel': {},
};

/** What changes a message before it is sent: another message, several, or what is none. */
type Habit = (message: Sent) => Sent;

/** The tools in a result that are some. */
const toolsOf = (result: Sent): Sent[] =>
  (result.tools ?? []).filter((tool: Sent) => typeof tool === 'object');

const inResult =
  (change: (result: Sent, message: Sent) => void): Habit =>
  (message) => {
    if (message.result) change(message.result, message);
    return message;
  };

/** The form that the tool asks with, wherever it is in a message. */
const inForm =
  (properties: Sent): Habit =>
  (message) => {
    const params = message.params?.requestedSchema
      ? message.params
      : message.result?.inputRequests?.colour?.params;
    if (params) Object.assign(params.requestedSchema, properties);
    return message;
  };

/** Habits by their names. */
export const HABITS: Readonly<Record<string, Habit>> = {
  'says null for what others leave out': inResult((result) => {
    Object.assign(result, { nextCursor: null, _meta: null, instructions: null, isError: null });
    if (result.serverInfo) Object.assign(result.serverInfo, { title: null, icons: null });
    if (result.capabilities) result.capabilities.completions = null;
    for (const item of [result.tools, result.prompts, result.resources].flat())
      if (typeof item === 'object')
        Object.assign(item, { title: null, description: null, annotations: null, _meta: null });
    for (const argument of result.prompts?.[0]?.arguments ?? []) argument.description = null;
  }),
  'says null for params': (message) =>
    message.method && !message.params ? { ...message, params: null } : message,
  'names a request by a text': (message) =>
    typeof message.id === 'number' && !message.method ? { ...message, id: String(message.id) } : message,
  'leaves jsonrpc out': ({ jsonrpc: _, ...message }) => message,
  'adds fields to its messages': (message) => ({ ...message, server: 'odd' }),
  'says that there is no error': (message) => (message.result ? { ...message, error: null } : message),
  'lists what is no item': inResult((result) => {
    for (const list of [result.tools, result.prompts, result.resources])
      list?.push(7, { description: 'nameless' }, { name: 5, uri: 5, inputSchema: 5 });
  }),
  'has an odd hint': inResult((result) => {
    for (const tool of toolsOf(result)) Object.assign(tool, { annotations: { title: 5 }, icons: 'none' });
  }),
  'has an empty cursor': inResult((result) => {
    if (result.tools) result.nextCursor = '';
  }),
  'leaves out what its revision wants': inResult((result) => {
    if (result.resultType === 'complete') delete result.resultType;
    delete result.ttlMs;
    delete result.cacheScope;
    delete result.serverInfo;
  }),
  'sends a block of a later protocol': inResult((result) => {
    if (Array.isArray(result.content)) result.content.push({ type: 'hologram', data: 'x' });
  }),
  'sends a block that is none': inResult((result) => {
    if (Array.isArray(result.content)) result.content.push({ type: 'image' }, 7);
  }),
  'sends one block for a list': inResult((result) => {
    if (Array.isArray(result.content)) [result.content] = result.content;
  }),
  'sends words for a list': inResult((result) => {
    if (Array.isArray(result.content)) result.content = result.content[0].text;
  }),
  'has tools without a schema': inResult((result) => {
    for (const tool of toolsOf(result)) delete tool.inputSchema;
  }),
  'says true for what it can': inResult((result) => {
    if (result.capabilities)
      for (const name of Object.keys(result.capabilities)) result.capabilities[name] = true;
  }),
  'says more of results than it gives': inResult((result) => {
    for (const tool of toolsOf(result))
      tool.outputSchema = { type: 'object', properties: { said: { type: 'string' } }, required: ['said'] };
  }),
  'answers in a list': (message) => (message.id === undefined || message.method ? message : [[message]]),
  'answers what nobody asked': (message) =>
    message.result ? [{ jsonrpc: '2.0', id: 4_711, result: {} }, message] : message,
  'sends what is no message': (message) => ['no message', { odd: true }, 7, message],
  'logs at a level of its own': (message) => [
    { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'warn', data: 'it is so' } },
    message,
  ],
  'asks as Python servers do': inForm({
    $defs: { Colour: { enum: ['red', 'blue'], title: 'Colour', type: 'string' } },
    properties: {
      colour: { allOf: [{ $ref: '#/$defs/Colour' }], title: 'Colour' },
      count: { anyOf: [{ type: 'integer' }, { type: 'null' }], default: null, title: 'Count' },
      level: { enum: [1, 2, 3], type: 'integer', default: 2 },
      more: { type: 'object', additionalProperties: true, default: {} },
      kind: { oneOf: [{ const: 'a', title: 'A' }], default: 'a' },
      tags: { type: 'array', items: { type: 'integer' } },
      when: { type: 'string', format: 'time' },
    },
  }),
};

/** A habit of the program, not of its messages. */
const ON_WINDOWS = 'writes as on Windows';

/** Answers that are none, by what their call ends with. */
export const FAILURES: Readonly<Record<string, (id: unknown) => Sent>> = {
  'no luck (a text)': (id) => ({ id, error: 'no luck (a text)' }),
  'no luck (no code)': (id) => ({ id, error: { message: 'no luck (no code)' } }),
  'no luck (odd code)': (id) => ({ id, error: { code: 'E1', message: 'no luck (odd code)' } }),
  'no luck (no id)': () => ({ id: null, error: { code: -32600, message: 'no luck (no id)' } }),
  'no luck (and a result)': (id) => ({
    id,
    result: {},
    error: { code: 1, message: 'no luck (and a result)' },
  }),
  'an error without a message': (id) => ({ id, error: { code: -32000, message: '' } }),
  'neither a result nor an error': (id) => ({ id }),
  'a result that is no object': (id) => ({ id, result: 'text' }),
};

/** Answers messages: what it sends goes through all habits. */
export function oddServer(era: Era, habits: readonly string[], send: (sent: readonly unknown[]) => void) {
  const emit = (message: Sent) => {
    let sent: unknown[] = [structuredClone({ jsonrpc: '2.0', ...message })];
    for (const name of habits) {
      const habit = HABITS[name];
      if (!habit) throw new Error(`there is no habit '${name}'`);
      sent = sent.flatMap((one) =>
        typeof one === 'object' && one !== null && !Array.isArray(one) ? habit(one) : [one],
      );
    }
    send(sent);
  };
  const answer = (id: unknown, result: object) => {
    const beside = era === '2026' ? { resultType: 'complete', ttlMs: 0, cacheScope: 'private' } : {};
    emit({ id, result: { ...beside, ...result } });
  };
  let asking: unknown;
  return function take({ id, method, params = {}, result }: Sent): void {
    if (method === undefined) {
      if (id === 'colour') answer(asking, text(JSON.stringify(result)));
    } else if (id === undefined) return;
    else if (method === (era === '2026' ? 'server/discover' : 'initialize')) answer(id, handshake(era));
    else if (method === 'tools/call' && params.name === 'say')
      answer(id, text(`said ${params.arguments.text}`));
    else if (method === 'tools/call' && params.name === 'fail') emit(FAILURES[params.arguments.text]?.(id));
    else if (method === 'tools/call' && era === '2025') {
      asking = id;
      emit({ id: 'colour', ...question });
    } else if (method === 'tools/call' && params.inputResponses)
      answer(id, text(JSON.stringify(params.inputResponses.colour)));
    else if (method === 'tools/call')
      answer(id, { resultType: 'input_required', inputRequests: { colour: question } });
    else if (RESULTS[method]) answer(id, RESULTS[method]);
    else emit({ id, error: { code: -32601, message: 'Method not found' } });
  };
}

if (process.argv[1] === import.meta.filename) {
  const [, , era = '2025', ...habits] = process.argv;
  const asOnWindows = habits.includes(ON_WINDOWS);
  const end = asOnWindows ? '\r\n' : '\n';
  if (asOnWindows) process.stdout.write('\ufeff');
  const write = (sent: readonly unknown[]) => {
    for (const one of sent)
      process.stdout.write(`${typeof one === 'string' ? one : JSON.stringify(one)}${end}`);
  };
  const own = habits.filter((habit) => habit !== ON_WINDOWS);
  const take = oddServer(era as Era, own, write);
  createInterface({ input: process.stdin }).on('line', (line) => take(JSON.parse(line)));
}
