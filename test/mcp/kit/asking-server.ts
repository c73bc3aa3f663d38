/** A server on stdio whose tools wait, or ask, and that never takes a question back. Its first argument is the era that it speaks: 2025 or 2026. */
import { createInterface } from 'node:readline';

type Json = Readonly<Record<string, unknown>>;

const modern = process.argv[2] === '2026';
const line = (message: object) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;
/** At once: they are read together. */
const send = (...messages: readonly object[]): void => {
  process.stdout.write(messages.map(line).join(''));
};
const inputSchema = { type: 'object', properties: { as: { type: 'string' } } };
const requestedSchema = { type: 'object', properties: { answer: { type: 'string' } } };
const capabilities = { tools: {} };
const serverInfo = { name: 'asking', version: '1' };
const kept = modern ? { ttlMs: 0, cacheScope: 'private' } : {};

const question = (message: string) => ({
  method: 'elicitation/create',
  params: { message, requestedSchema },
});

/** Calls of 2025-11-25 that have asked: what they were told. */
const told = new Map<string, Json[]>();
/** Why a question was not answered. */
const refused = Promise.withResolvers<string>();
const waiting: unknown[] = [];

function call(id: unknown, { name, arguments: args = {}, inputResponses }: Json): void {
  const { as } = args as { as: string };
  const asked = name === 'one' ? [`${as} 1`] : [`${as} 1`, `${as} 2`];
  if (inputResponses) answer(id, Object.values(inputResponses));
  else if (name === 'wait') waiting.push(id);
  else if (name === 'refused')
    refused.promise.then(
      (why) => answer(id, [why]),
      () => {},
    );
  else if (name === 'end') for (const one of [...waiting.splice(0), id]) answer(one, []);
  else ask(id, asked);
}

function ask(id: unknown, asked: readonly string[]): void {
  if (modern) {
    const inputRequests = Object.fromEntries(asked.map((message) => [message, question(message)]));
    send({ id, result: { resultType: 'input_required', inputRequests, requestState: 's' } });
    return;
  }
  told.set(String(id), []);
  send(...asked.map((message, at) => ({ id: `${id} ${at} of ${asked.length}`, ...question(message) })));
}

const answer = (id: unknown, answers: readonly unknown[]) => {
  const content = [{ type: 'text', text: JSON.stringify(answers) }];
  send({ id, result: { ...(modern ? { resultType: 'complete' } : {}), content } });
};

/** An answer of 2025-11-25 to a question. */
function take(id: string, result: Json): void {
  const [call = '', , , count] = id.split(' ');
  const answers = told.get(call) ?? [];
  answers.push(result);
  if (answers.length === Number(count)) answer(Number(call), answers);
}

const tools = ['wait', 'end', 'refused', 'one', 'two'].map((name) => ({ name, inputSchema }));

const beginnings: Readonly<Record<string, Json>> = modern
  ? { 'server/discover': { supportedVersions: ['2026-07-28'], capabilities, serverInfo, ...kept } }
  : { initialize: { protocolVersion: '2025-11-25', capabilities, serverInfo } };

const results: Readonly<Record<string, Json>> = { ...beginnings, 'tools/list': { tools, ...kept } };

createInterface({ input: process.stdin }).on('line', (text) => {
  const { id, method, params, result, error } = JSON.parse(text) as {
    readonly id?: unknown;
    readonly method?: string;
    readonly params?: Json;
    readonly result?: Json;
    readonly error?: { readonly message: string };
  };
  if (id === undefined) return;
  if (error) refused.resolve(error.message);
  else if (method === undefined) take(String(id), result ?? {});
  else if (method === 'tools/call') call(id, params ?? {});
  else if (results[method])
    send({ id, result: { ...(modern ? { resultType: 'complete' } : {}), ...results[method] } });
  else send({ id, error: { code: -32601, message: 'Method not found' } });
});
