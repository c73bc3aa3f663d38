import type {
  JSONRPCRequest,
  Result as SdkResult,
  Server,
  ServerContext,
} from '@modelcontextprotocol/server';
import { defined } from '../../core/schema/defined.ts';
import type { StandardSchemaV1 } from '../../core/schema/standard-schema.ts';
import type { Caller } from '../caller.ts';
import { answer, PLAIN_METHODS } from '../catalog/answer.ts';
import { CALLING_METHODS, type CallingMethod, resolveCall } from '../catalog/callable.ts';
import { declaredCapabilities, type ServerParts } from '../host.ts';
import { createReporter } from '../reporter.ts';
import { decodeCapabilities } from '../wire/capabilities.ts';
import { logLevelOf, META, progressTokenOf } from '../wire/meta.ts';
import { isObject } from '../wire/rpc/json-rpc.ts';
import { createClient2026 } from './client.ts';
import type { ParkedCalls } from './parked-calls.ts';
import { Refused, serveLeg } from './serve-leg.ts';

type SdkHandler = (request: JSONRPCRequest, ctx: ServerContext) => Promise<SdkResult>;

/** The SDK, loaded when the first client of the era comes. */
export async function loadSdk2026(): Promise<Sdk2026> {
  const [sdk, stdio] = await Promise.all([
    import('@modelcontextprotocol/server'),
    import('@modelcontextprotocol/server/stdio'),
  ]);
  /** Requests and results are checked by our own code, and once: the SDK would do it again, twice a call. */
  class UncheckedServer extends sdk.Server {
    protected override _wrapHandler(_method: string, handler: SdkHandler): SdkHandler {
      return handler;
    }
  }
  return { ...sdk, serveStdio: stdio.serveStdio, UncheckedServer };
}

type ServerSdk = typeof import('@modelcontextprotocol/server');
type StdioSdk = typeof import('@modelcontextprotocol/server/stdio');

/** What {@link loadSdk2026} loads. Written out: the inferred type names what the SDK does not export. */
export type Sdk2026 = ServerSdk &
  Pick<StdioSdk, 'serveStdio'> & { readonly UncheckedServer: ServerSdk['Server'] };

type Result = Readonly<Record<string, unknown>>;
type Params = Readonly<Record<string, unknown>>;

/** Lets everything pass: what params hold is looked at where it is used. */
const ANY_PARAMS: StandardSchemaV1<Params> = {
  '~standard': { version: 1, vendor: 'parley', validate: (value) => ({ value: value as Params }) },
};

/** What the SDK would check answers of its own questions with; it asks none. */
const NO_VALIDATOR = {
  getValidator: () => () => ({ valid: false as const, data: undefined, errorMessage: 'not used' }),
};

/** How long a client may keep a list, milliseconds: one that changes is worth asking for again. */
const KEEP_LIST = 60_000;

/**
 * A server of the 2026 era for one caller: for one request over HTTP, for a connection over stdio.
 *
 * @param only the method of the one request that it will serve; all methods without it
 */
export function createServer2026(
  sdk: Sdk2026,
  host: ServerParts,
  parked: ParkedCalls,
  caller: Caller,
  only?: string,
): Server {
  const declared = declaredCapabilities(host);
  const server = new sdk.UncheckedServer(
    { ...host.info },
    {
      capabilities: declared,
      jsonSchemaValidator: NO_VALIDATOR,
      ...defined({ instructions: host.instructions }),
    },
  );
  const handle = (method: string, handler: (params: Params, ctx: ServerContext) => Promise<Result>) =>
    server.setRequestHandler(method, { params: ANY_PARAMS }, handler);

  const serves = (method: string) => (only === undefined || only === method) && isDeclared(method, declared);

  for (const method of PLAIN_METHODS) {
    if (!serves(method)) continue;
    handle(method, async (params, ctx) => {
      const wire = { name: 'list', capabilities: () => capabilitiesOf(ctx), can: () => false };
      const { capabilities } = caller.client?.(wire) ?? wire;
      const result = await answer(host, method, {
        caller,
        era: '2026',
        params,
        capabilities: capabilities(),
      });
      if (method === 'completion/complete') return result;
      const changes = host.catalog.has(listOf(method)).changes;
      return { ...result, ttlMs: changes ? 0 : KEEP_LIST, cacheScope: 'private' };
    });
  }

  for (const method of CALLING_METHODS) {
    if (!serves(method)) continue;
    handle(method, (params, ctx) => call(method, params, ctx));
  }

  async function call(method: CallingMethod, params: Params, ctx: ServerContext): Promise<Result> {
    const { mcpReq } = ctx;
    const callable = resolveCall(host, caller, '2026', method, params);
    const reporter = createReporter(callable.tool.name, {
      progressToken: progressTokenOf(mcpReq._meta),
      logLevel: () => logLevelOf(envelopeOf(ctx)[META.logLevel]),
      notify: (name, payload) => mcpReq.notify({ method: name, params: payload }),
    });
    const wire = createClient2026(clientName(ctx), capabilitiesOf(ctx), reporter);
    try {
      const result = await host.run(() =>
        serveLeg(host, parked, {
          callable,
          client: caller.client?.(wire) ?? wire,
          principal: caller.name,
          state: mcpReq.requestState(),
          responses: mcpReq.inputResponses ?? {},
          signal: mcpReq.signal,
          heartbeat: (message) => reporter.heartbeat(message),
        }),
      );
      return method === 'resources/read' ? { ttlMs: 0, cacheScope: 'private', ...result } : result;
    } catch (error) {
      if (error instanceof Refused) return error.result;
      throw error;
    }
  }

  return server;
}

function envelopeOf(ctx: ServerContext): Params {
  return ctx.mcpReq.envelope ?? {};
}

function capabilitiesOf(ctx: ServerContext) {
  return decodeCapabilities(envelopeOf(ctx)[META.clientCapabilities]);
}

function clientName(ctx: ServerContext): string {
  const info: unknown = envelopeOf(ctx)[META.clientInfo];
  return `mcp client "${isObject(info) ? String(info.name) : 'unknown'}"`;
}

function isDeclared(method: string, declared: Params): boolean {
  const group = method.split('/')[0] ?? '';
  return (group === 'completion' ? 'completions' : group) in declared;
}

function listOf(method: string): 'tools' | 'prompts' | 'resources' {
  return method === 'tools/list' ? 'tools' : method === 'prompts/list' ? 'prompts' : 'resources';
}
