import type { CallToolResult, Client, Tool } from '@modelcontextprotocol/client';
import { type Operation, until } from 'effection';
import { ForeignToolError } from '../../../core/errors/foreign-errors.ts';
import type { JsonValue } from '../../../core/messages/json.ts';
import { asLabel } from '../../../core/messages/label.ts';
import { defined } from '../../../core/schema/defined.ts';
import { isObject } from '../../../core/schema/is-object.ts';
import { createMcpTool } from '../../../core/tool/create-mcp-tool.ts';
import type { AnyTool, ForeignOrigin, ToolAnnotations } from '../../../core/tool/tool.ts';
import { saySent } from '../../../runtime/context/made-once.ts';
import { CallTraceContext, type TraceContext } from '../../trace/trace-context.ts';
import { asJson } from '../../wire/as-json.ts';
import { foreignName } from '../../wire/foreign-name.ts';
import { META } from '../../wire/meta.ts';
import { visitPage } from '../calls/answer-ask.ts';
import type { ForeignContext } from '../calls/foreign-context.ts';
import { followTask, runAsTask } from '../calls/run-task.ts';
import { entryHash } from '../config/entry-hash.ts';
import { readCallResult } from '../reader/read-content.ts';
import type { Json } from '../reader/read-message.ts';
import { problemsOf } from '../schema/check.ts';
import { listedSchema } from '../schema/listed-schema.ts';
import type { ServerConnection } from '../server-connection.ts';
import { type Addresses, readdressed, THEIR_OWN } from './addresses.ts';
import { offeredOn } from './through.ts';

/** Ten minutes of machine time. */
const TIMEOUT = 600_000;

/** Characters of a description that are shown. */
const SHOWN = 16_000;

/** How often a call may send the person to a page first. */
const MAX_PAGES = 3;

/** The protocol's error for a call that needs the person to visit a page first. Source: MCP 2025-11-25, "Elicitation". */
const URL_ELICITATION_REQUIRED = -32042;

/** What `foreignTool` takes beside the tool. */
export interface ForeignToolOptions {
  /** What the server says of the tool's effects is true. */
  readonly trusted?: boolean;
  /** What resources in its results are called; as the server calls them without it. */
  readonly addresses?: Addresses;
}

/**
 * The tool of a connected server as a tool of ours: frozen data, whose code sends `tools/call` and hands on what comes. What the
 * server says of its effects is a claim, and counts for nothing here unless `trusted`.
 *
 * @throws `ToolDefinitionError` for what cannot be a tool
 */
export function foreignTool(
  connection: ServerConnection,
  tool: Tool,
  { trusted = false, addresses = THEIR_OWN }: ForeignToolOptions = {},
): AnyTool {
  const { name, title, description, inputSchema, outputSchema, annotations = {}, execution } = tool;
  const asTask = execution?.taskSupport === 'required';
  const outside = foreignName(connection.name, name);
  const text = (description?.trim() || title?.trim() || name.trim() || outside).slice(0, SHOWN);
  const shown = asLabel(title ?? '') || asLabel(annotations.title ?? '');
  const described = createMcpTool(outside).description(text);
  const plain = described
    .parameters(listedSchema<Json>(inputSchema))
    .annotations(trusted ? (annotations as ToolAnnotations) : {})
    .limits({ timeout: connection.entry.timeout ?? TIMEOUT })
    .title(shown || asLabel(`${connection.name}/${name}`) || outside)
    .about(offeredOn(tool));
  const run = function* (params: Json, ctx: ForeignContext): Operation<JsonValue | undefined> {
    yield* saySent(ctx);
    const result = yield* callTool(connection, { name, asTask, args: params }, ctx);
    const given = result.structuredContent;
    const [problem] = outputSchema && !result.isError ? problemsOf(outputSchema, given) : [];
    if (problem)
      yield* ctx.log('warning', `the result is not what '${connection.name}' says it is: ${problem.message}`);
    const content = readdressed(result.content, addresses);
    return resultOf(connection.name, name, { ...result, content: [...content] });
  };
  const made: AnyTool = outputSchema
    ? plain.output(listedSchema<JsonValue | undefined>(outputSchema)).elicits({}).execute(run)
    : plain.elicits({}).execute(run);
  const foreign: ForeignOrigin = Object.freeze({
    server: connection.name,
    tool: name,
    claims: Object.freeze(defined({ ...annotations })),
    reached: entryHash(connection.entry),
    ...defined({ unlisted: connection.entry.unlisted }),
  });
  return Object.freeze({ ...made, def: Object.freeze({ ...made.def, foreign }) });
}

interface ToolCall {
  readonly name: string;
  readonly args: Json;
  /** The server runs it as a task, and not otherwise. */
  readonly asTask: boolean;
}

function* callTool(
  connection: ServerConnection,
  { name, args, asTask }: ToolCall,
  ctx: ForeignContext,
): Operation<CallToolResult> {
  const trace = yield* CallTraceContext.get();
  for (let pages = 0; ; pages++) {
    try {
      const said = yield* connection.request(ctx, function* (line) {
        const params = { name, arguments: args, ...metaOf(line.client, trace) };
        if (asTask) return yield* runAsTask(line, params);
        const result = yield* line.request('tools/call', params);
        return result.resultType === 'task' ? yield* followTask(line, result) : result;
      });
      return yield* readCallResult(said);
    } catch (error) {
      const asked = pages < MAX_PAGES ? pagesOf(error) : [];
      if (asked.length === 0) throw error;
      for (const page of asked) {
        const { action } = yield* visitPage(ctx, page);
        if (action !== 'accept') throw error;
      }
    }
  }
}

function metaOf(client: Client, trace: TraceContext | undefined) {
  return trace ? { _meta: { ...logged(client)._meta, ...trace } } : logged(client);
}

/** Asks for the log where it has to be asked for with each request. */
export function logged(client: Client): { readonly _meta?: Record<string, unknown> } {
  return client.getProtocolEra() === 'modern' ? { _meta: { [META.logLevel]: 'info' } } : {};
}

/** The pages that the person has to visit before the call can go on. */
function pagesOf(error: unknown): readonly Readonly<Record<string, unknown>>[] {
  const { cause } = error as { cause?: { code?: unknown; data?: unknown } };
  if (cause?.code !== URL_ELICITATION_REQUIRED || !isObject(cause.data)) return [];
  const { elicitations } = cause.data;
  return Array.isArray(elicitations) ? elicitations.filter(isObject).slice(0, MAX_PAGES) : [];
}

/**
 * What a result resolves to: the result as a whole, so that whoever lists the tool passes it on as it is.
 *
 * @throws `ForeignToolError` for a result that says the tool failed: with the result, where it is more than text
 */
function resultOf(server: string, tool: string, result: CallToolResult): JsonValue | undefined {
  const { content, structuredContent, isError, _meta } = result;
  if (isError) {
    const said = content.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`)).join('\n');
    const isText = content.every(({ type }) => type === 'text') && structuredContent === undefined && !_meta;
    throw new ForeignToolError({
      server,
      tool,
      said,
      ...(isText ? {} : { details: { result: asJson(result) } }),
    });
  }
  if (content.length === 0 && structuredContent === undefined) return undefined;
  const blocks = content.length > 0 ? content : [{ type: 'text', text: JSON.stringify(structuredContent) }];
  return asJson({ content: blocks, ...defined({ structuredContent, _meta }) });
}

/** Runs a promise's operation without a call: for what nobody can be asked about. */
export function* plainly<T>(
  connection: ServerConnection,
  make: (client: Client) => Promise<T>,
): Operation<T> {
  return yield* until(make(yield* connection.client()));
}
