import { randomBytes, randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import pg from 'pg';
import * as z from 'zod';

/** What a leg of this call takes in our store: 3,620 bytes in five entries, for four legs. */
const BYTES = 905;

/** Parsed once, as ours are. */
const READ = { name: 'read', text: 'select at, line from bare where id = $1 order by at' };
const ADD = { name: 'add', text: 'insert into bare values ($1, $2, $3)' };

const KEYS = ['first', 'second', 'third'] as const;
const requestedSchema = {
  type: 'object' as const,
  properties: { colour: { type: 'string' as const } },
  required: ['colour'],
};

/** The tool `three` on the SDK alone: each leg reads what there is of its call in PostgreSQL, and adds to it. */
export async function barePostgres(
  listen: (handler: RequestListener) => Promise<number>,
  url: string,
): Promise<number> {
  const { createMcpHandler, inputRequired, Server } = await import('@modelcontextprotocol/server');
  const { toNodeHandler } = await import('@modelcontextprotocol/node');
  const pool = new pg.Pool({ connectionString: url, max: 8 });
  await pool.query('create table if not exists bare (id text, at int, line bytea, primary key (id, at))');
  const Params = z.object({ text: z.string() });
  const make = () => {
    const server = new Server({ name: 'bare', version: '1.0.0' }, { capabilities: { tools: {} } });
    server.setRequestHandler('tools/call', async ({ params }, ctx) => {
      const { text } = Params.parse(params.arguments);
      const state = ctx.mcpReq.requestState();
      const id = typeof state === 'string' ? state : randomUUID();
      const { rows } = await pool.query({ ...READ, values: [id] });
      await pool.query({ ...ADD, values: [id, rows.length, randomBytes(BYTES)] });
      const key = KEYS[rows.length];
      if (key === undefined) return { content: [{ type: 'text' as const, text: 'blue' }] };
      return inputRequired({
        inputRequests: { [key]: inputRequired.elicit({ message: text, requestedSchema }) },
        requestState: id,
      });
    });
    return server;
  };
  const handle = toNodeHandler(createMcpHandler(make, { legacy: 'reject' }));
  // The SDK's types and Node's disagree about fields that may be undefined.
  return await listen((req, res) => void handle(req as Parameters<typeof handle>[0], res));
}
