import { readFile } from 'node:fs/promises';
import { createPostgresStore } from 'parley-mcp/postgres';
import { openServer } from './in-process.ts';
import { beside, endless } from './task-tools.ts';

// A server of a team that hears what is said of its tasks at others from PostgreSQL.

const [url = '', keyFile = ''] = process.argv.slice(2);
const keys = [Buffer.from(await readFile(keyFile, 'utf8'), 'base64')];
const server = await openServer({
  tools: [beside, endless],
  state: createPostgresStore({ url, keys, schema: 'told' }),
});
process.stdout.write(`${JSON.stringify({ url: server.url.href })}\n`);
