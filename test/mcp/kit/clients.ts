import {
  Client as Client2026,
  StreamableHTTPClientTransport as Http2026,
} from '@modelcontextprotocol/client';
import { Client as Client2025 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as Http2025 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CreateMessageRequestSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { answerBooking, answerSampling } from './answers.ts';
import { cli, type Served } from './parley-serve.ts';

/** What a client of these tests can do. */
export interface Abilities {
  readonly elicitation?: boolean;
  readonly sampling?: boolean;
}

function capabilitiesOf({ elicitation, sampling }: Abilities) {
  return { ...(elicitation ? { elicitation: { form: {} } } : {}), ...(sampling ? { sampling: {} } : {}) };
}

/** A client of the 2025 era that answers like a person who books. */
export function client2025(abilities: Abilities = {}): Client2025 {
  const client = new Client2025(
    { name: 'test', version: '1.0.0' },
    { capabilities: capabilitiesOf(abilities) },
  );
  if (abilities.elicitation) {
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => answerBooking(params));
  }
  if (abilities.sampling) client.setRequestHandler(CreateMessageRequestSchema, () => answerSampling());
  return client;
}

/** A client of the 2026 era that answers like a person who books. */
export function client2026(abilities: Abilities = {}): Client2026 {
  const client = new Client2026(
    { name: 'test', version: '1.0.0' },
    { capabilities: capabilitiesOf(abilities), versionNegotiation: { mode: 'auto' } },
  );
  if (abilities.elicitation) {
    client.setRequestHandler('elicitation/create', ({ params }) => answerBooking(params));
  }
  if (abilities.sampling) client.setRequestHandler('sampling/createMessage', () => answerSampling());
  return client;
}

/** A server at an address. */
type Reached = Pick<Served, 'url' | 'token'>;

function headersOf({ token }: Reached): { readonly requestInit: RequestInit } {
  return { requestInit: { headers: token === undefined ? {} : { authorization: `Bearer ${token}` } } };
}

/** A transport to `parley serve --http`. */
export function http2025(served: Reached): Http2025 {
  return new Http2025(served.url, headersOf(served));
}

/** A transport to `parley serve --http`, for a client of the 2026 era. */
export function http2026(served: Reached): Http2026 {
  return new Http2026(served.url, headersOf(served));
}

/** A transport that starts `parley serve --stdio`. */
export function stdio2025(modules: readonly string[], env?: Record<string, string>): StdioClientTransport {
  return new StdioClientTransport({
    ...(env && { env }),
    command: process.execPath,
    args: [cli, 'serve', '--stdio', ...modules],
    stderr: 'pipe',
  });
}
