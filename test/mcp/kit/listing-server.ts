/**
 * A server of 2025-11-25 on stdio that is odd in what it lists, and answers each call with what it was called with. Its first argument
 * says how: `many N`, in pages of 500; `heavy`, in pages of 8 MiB without end; `broken`, beside what is no tool; `stirs N`, whose first tool says N times, every 10 ms, that the list has changed, and answers
 * after that: each list that is read names how often it was said before.
 */
import { createInterface } from 'node:readline';

const [, , how = '', given = ''] = process.argv;

interface Params {
  readonly name?: string;
  readonly cursor?: string;
  readonly _meta?: object;
}

const PAGE = 500;
const inputSchema = { type: 'object', properties: { text: { type: 'string' } } };
const send = (message: object) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const answer = (value: object) => ({ content: [{ type: 'text', text: JSON.stringify(value) }] });
const numbered = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => ({
    name: `tool_${from + at}`,
    description: `Does thing ${from + at}.`,
    inputSchema,
  }));

let lists = 0;
let told = 0;

const listings: Readonly<Record<string, (params: Params) => object>> = {
  many({ cursor }) {
    const from = Number(cursor ?? 0);
    const to = Math.min(from + PAGE, Number(given));
    return { tools: numbered(from, to), ...(to < Number(given) ? { nextCursor: String(to) } : {}) };
  },
  heavy({ cursor = '0' }) {
    const tool = { name: `tool_${cursor}`, description: 'x'.repeat(8 * 1024 ** 2), inputSchema };
    return { tools: [tool], nextCursor: String(Number(cursor) + 1) };
  },
  broken: () => ({
    tools: [
      { name: 'bare', inputSchema: {} },
      ...numbered(0, 1),
      { name: 'called\u001b[2J', inputSchema, annotations: { title: 5 } },
      7,
    ],
  }),
  stirs: () => ({ tools: [...numbered(0, 1), { name: `list_${told}`, description: 'It.', inputSchema }] }),
};

/** Says over and over that its list has changed. */
function stir(done: () => void): void {
  const timer = setInterval(() => {
    told += 1;
    send({ method: 'notifications/tools/list_changed' });
    if (told < Number(given)) return;
    clearInterval(timer);
    done();
  }, 10);
}

function call(id: number, { name, _meta }: Params): void {
  const done = () => send({ id, result: answer({ name, lists, told, _meta }) });
  if (how === 'stirs' && name === 'tool_0' && told === 0) stir(done);
  else done();
}

const answers: Readonly<Record<string, (params: Params) => object>> = {
  initialize: () => ({
    protocolVersion: '2025-11-25',
    capabilities: { tools: { listChanged: true } },
    serverInfo: { name: 'listing', version: '1' },
  }),
  'tools/list'(params) {
    lists += 1;
    return listings[how]?.(params) ?? { tools: [] };
  },
  ping: () => ({}),
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const {
    id,
    method = '',
    params = {},
  } = JSON.parse(line) as { id?: number; method?: string; params?: Params };
  if (id === undefined) return;
  const result = answers[method]?.(params);
  if (method === 'tools/call') call(id, params);
  else if (result) send({ id, result });
  else send({ id, error: { code: -32601, message: 'Method not found' } });
});
