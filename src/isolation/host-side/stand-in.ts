import { type Operation, until } from 'effection';
import { HandlerError } from '../../core/errors/call-errors.ts';
import type { JsonValue } from '../../core/messages/json.ts';
import type { AnyPlugin } from '../../core/plugin/plugin.ts';
import { defined } from '../../core/schema/defined.ts';
import type { Schema } from '../../core/schema/schema.ts';
import type { StandardResult } from '../../core/schema/standard-schema.ts';
import type { ToolContext } from '../../core/tool/context.ts';
import type { AnyTool, ElicitDefinition, ToolDefinition } from '../../core/tool/tool.ts';
import { UNSAID } from '../../core/tool/tool-facts.ts';
import { behindContext } from '../../runtime/call/behind-context.ts';
import { markStandIn } from '../../workspace/load/stand-ins.ts';
import type { ToolData } from '../wire/tool-data.ts';
import { unseenSchema } from '../wire/unseen-schema.ts';
import { RealmEndedError } from './connection.ts';
import { runRemoteCall } from './remote-call.ts';
import type { ToolHome } from './tool-home.ts';

/** Where a stand-in's tool is. */
export interface StandInPlace {
  readonly home: ToolHome;
  /** The number of the tool in its realm. */
  readonly index: number;
}

/** Parameters that were parsed in the realm of the tool, for the call that may follow. */
interface ParsedThere {
  readonly parse: number;
  /** As they were given. */
  readonly params: unknown;
  /** Why they could not be parsed: the call says so, for it is no fault of theirs. */
  readonly failure?: unknown;
}

/** Parameters of calls that never came do not stay for ever. */
const CAPACITY = 256;

/**
 * A tool, or a plugin, that stands for one in another realm: same definition, same schemas on paper, and a body that runs
 * it there as a part of the session here.
 */
export function createStandIn(data: ToolData, place: StandInPlace): AnyTool | AnyPlugin {
  const parsed = new Map<unknown, ParsedThere>();
  const isolated = { toolName: data.name, file: place.home.file };
  let plugin: AnyPlugin | undefined;

  const keep = (value: unknown, there: ParsedThere): StandardResult<unknown> => {
    parsed.set(value, there);
    const [oldest] = parsed.keys();
    if (parsed.size > CAPACITY) parsed.delete(oldest);
    return { value };
  };

  const parse = async (params: unknown): Promise<StandardResult<unknown>> => {
    const { home, index } = place;
    const serial = home.nextSerial();
    try {
      const connection = await home.connect();
      const value = defined({ value: params as JsonValue | undefined });
      const parsed = await connection.ask('parse', { parse: serial, tool: index, ...value });
      if (parsed.issues) return { issues: parsed.issues };
      return keep(parsed.value, { parse: serial, params });
    } catch (failure) {
      return keep(copyOf(params), { parse: serial, params, failure });
    }
  };

  function* execute(params: unknown, ctx: ToolContext): Operation<unknown> {
    const behind = behindContext(ctx);
    if (!behind) throw new Error(`'${data.name}' runs in another realm: run it in a session`);
    const { home, index } = place;
    const there = parsed.get(params) ?? { parse: home.nextSerial(), params };
    parsed.delete(params);
    try {
      if (there.failure !== undefined) throw there.failure;
      const connection = yield* until(home.connect());
      return yield* runRemoteCall({ connection, behind, tool: isolated, plugin, index, ctx, ...there });
    } catch (error) {
      throw RealmEndedError.for(isolated, error);
    }
  }

  const schema: Schema = { '~standard': { version: 1, vendor: 'parley', validate: parse } };
  const def: ToolDefinition = {
    ...definitionOf(data),
    parameters: { schema, json: data.parameters },
    body: { kind: 'execute', execute },
  };
  const tool: AnyTool = Object.freeze({ kind: 'parley.tool', name: data.name, def: Object.freeze(def) });
  markStandIn(tool);
  if (data.kind === 'plugin') plugin = pluginOf(tool, data.handlers);
  return plugin ?? tool;
}

/** A value of its own, so that parameters of one call are never taken for those of another. */
function copyOf(params: unknown): unknown {
  return typeof params === 'object' && params !== null ? structuredClone(params) : params;
}

function definitionOf(data: ToolData): Omit<ToolDefinition, 'parameters' | 'body'> {
  const { kind: _kind, origin: _origin, tool: _tool, handlers: _handlers, parameters: _, ...said } = data;
  const elicits = Object.entries(data.elicits).map(([key, { json, context }]): [string, ElicitDefinition] => [
    key,
    { key, json, response: unseenSchema, context: context ? unseenSchema : undefined },
  ]);
  return {
    ...UNSAID,
    // Fields that were not there are not there now: parsing adds none.
    ...(said as Omit<ToolDefinition, 'parameters' | 'body' | 'output' | 'elicits'>),
    output: said.output && { schema: unseenSchema, json: said.output },
    elicits: Object.freeze(Object.fromEntries(elicits)),
  };
}

/** Its handlers say that they are there; those that run come with each question. */
function pluginOf(tool: AnyTool, keys: readonly string[]): AnyPlugin {
  const handlers = keys.map((key) => [
    key,
    function* elsewhere(): Operation<never> {
      throw new HandlerError(`the handler of '${key}' is in another realm: ask the session for it`);
    },
  ]);
  return Object.freeze({
    kind: 'parley.plugin',
    server: Object.freeze({ tools: Object.freeze([tool] as const), sampling: {} }),
    client: Object.freeze({ toolName: tool.name, handlers: Object.freeze(Object.fromEntries(handlers)) }),
    mcp: tool,
  });
}
