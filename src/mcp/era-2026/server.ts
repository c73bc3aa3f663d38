import type { Server } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { defined } from '../../core/schema/defined.ts';
import { declaredCapabilities } from '../catalog/methods.ts';
import { hasTasks } from '../tasks/is-task.ts';
import { type Asked2026, type Serving2026, serving2026 } from './request.ts';

/** The SDK, loaded when the first client of the era comes. */
export async function loadSdk2026(): Promise<Sdk2026> {
  const [sdk, stdio] = await Promise.all([
    import('@modelcontextprotocol/server'),
    import('@modelcontextprotocol/server/stdio'),
  ]);
  return { ...sdk, serveStdio: stdio.serveStdio };
}

/** What {@link loadSdk2026} loads. Written out: the inferred type names what the SDK does not export. */
export type Sdk2026 = typeof import('@modelcontextprotocol/server') &
  Pick<typeof import('@modelcontextprotocol/server/stdio'), 'serveStdio'>;

/** What the SDK would check answers of its own questions with; it asks none. */
const NO_VALIDATOR = {
  getValidator: () => () => ({ valid: false as const, data: undefined, errorMessage: 'not used' }),
};

/** A server of the 2026 era for one caller: for one request over HTTP, for a connection over stdio. */
export function createServer2026(sdk: Sdk2026, serving: Serving2026): Server {
  const { host, caller } = serving;
  const server = new sdk.Server(
    { ...host.info },
    {
      capabilities: declaredCapabilities(host, '2026', caller),
      jsonSchemaValidator: NO_VALIDATOR,
      ...defined({ instructions: host.instructions }),
    },
  );
  // As a fallback, for requests and results are checked by our own code, once: a handler's the SDK checks again.
  const serve = serving2026(serving);
  server.fallbackRequestHandler = (request, { mcpReq }) => serve(request, mcpReq as Asked2026);
  // Methods of the era before, under whose names the extension has its own: the SDK wants to be told.
  for (const method of hasTasks(host) ? (['tasks/get', 'tasks/cancel'] as const) : []) {
    server.setRequestHandler(method, { params: z.looseObject({}) }, (params, { mcpReq }) =>
      serve({ method, params }, mcpReq as Asked2026),
    );
  }
  return server;
}
