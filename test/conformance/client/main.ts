/**
 * The client that the official suite tests: `src/mcp/client`, with a person who accepts what they are asked and a model that says
 * OK. The suite gives the address of its server as the last argument.
 */
import { type Operation, run, until } from 'effection';
import type { JsonSchema } from '#src/core/messages/json.ts';
import {
  fillInServer,
  foreignTool,
  parseServer,
  type ServerConnection,
  useMcpConnection,
} from '#src/mcp/client/index.ts';
import { createMockMcpClient, runMcpTool } from '#src/testing/index.ts';
import { type KnownClient, oauthFor } from './oauth-for.ts';
import { personAt } from './person.ts';

interface Context extends KnownClient {
  readonly toolCalls?: readonly {
    readonly name: string;
    readonly arguments: Readonly<Record<string, unknown>>;
  }[];
}

const url = process.argv.at(-1) ?? '';
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}') as Context;
const scenario = process.env.MCP_CONFORMANCE_SCENARIO ?? '';
const isStateful = (process.env.MCP_CONFORMANCE_PROTOCOL_VERSION ?? '') < '2026-07-28';

await run(function* () {
  const oauth = yield* until(oauthFor(scenario, url, context));
  const written = parseServer('suite', { url, ...(oauth ? { oauth } : {}) });
  const entry = yield* until(
    fillInServer(written, { workspaceFolder: '/', env: {}, readText: async () => '' }),
  );
  const connection = yield* useMcpConnection(entry, {
    ...(entry.kind === 'http' ? { login: personAt(scenario, entry) } : {}),
    ...(isStateful ? { era: '2025' } : {}),
    onLog: ({ message }) => console.error(message),
  });
  yield* connection.client();
  const { tools } = connection.offers();
  // The suite compares what one tool's schema is to us with what it said.
  const echoed = tools.find(({ name }) => name === 'json_schema_2020_12_tool')?.inputSchema;
  const given =
    context.toolCalls ??
    tools.map(({ name, inputSchema }) => ({
      name,
      arguments: (name === 'json_schema_echo' && echoed
        ? { schema: echoed }
        : sample(inputSchema)) as Readonly<Record<string, unknown>>,
    }));
  let failed = 0;
  for (const one of given) if (!(yield* called(connection, one))) failed += 1;
  if (given.length > 0 && failed === given.length) process.exitCode = 1;
});

function* called(
  connection: ServerConnection,
  { name, arguments: args }: NonNullable<Context['toolCalls']>[number],
): Operation<boolean> {
  const tool = connection.offers().tools.find((one) => one.name === name);
  if (!tool) return false;
  const client = createMockMcpClient({
    elicitResponses: ({ requestedSchema }) => ({
      action: 'accept',
      content: sample(requiredOf(requestedSchema as never)),
    }),
    sampleResponses: () => 'OK',
  });
  try {
    yield* runMcpTool(foreignTool(connection, tool), args, client);
    return true;
  } catch (error) {
    console.error(`${name}: ${String(error)}`);
    return false;
  }
}

/** What has to be answered: the rest is for defaults to fill in. */
function requiredOf(schema: JsonSchema): JsonSchema {
  const required = (schema.required ?? []) as readonly string[];
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
  return {
    ...schema,
    properties: Object.fromEntries(
      properties.filter(([name, { default: known }]) => required.includes(name) && known === undefined),
    ),
  };
}

/** A value that fits a schema. */
function sample(schema: JsonSchema): unknown {
  const {
    type,
    properties,
    default: known,
    enum: values,
  } = schema as {
    type?: string;
    properties?: Record<string, JsonSchema>;
    default?: unknown;
    enum?: readonly unknown[];
  };
  if (known !== undefined) return known;
  if (values) return values[0];
  switch (type) {
    case 'object':
      return Object.fromEntries(Object.entries(properties ?? {}).map(([name, one]) => [name, sample(one)]));
    case 'array':
      return [];
    case 'number':
    case 'integer':
      return 5;
    case 'boolean':
      return true;
    default:
      return 'test';
  }
}
