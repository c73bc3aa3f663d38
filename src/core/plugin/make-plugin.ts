import { PluginDefinitionError } from '../errors/definition-errors.ts';
import { isObject } from '../schema/is-object.ts';
import { isAsync } from '../tool/is-async.ts';
import type { AnyTool, ElicitsOf } from '../tool/tool.ts';
import { isTool } from './guards.ts';
import type { AnyElicitHandler, ElicitHandlers, Plugin, PluginSamplingConfig } from './plugin.ts';

/** A plugin of which only the tool is known. */
export interface PluginBuilder<T extends AnyTool> {
  /**
   * One handler per declared elicitation: no more, no less; `{}` for a tool that asks nothing. `'form'` stands for the
   * schema form.
   */
  onElicit<H extends ElicitHandlers<T>>(
    handlers: H & { readonly [K in Exclude<keyof H, keyof ElicitsOf<T>>]: Surplus<K> },
  ): HandledPluginBuilder<T>;
  /** Comes after `onElicit`. */
  build(refused: 'call .onElicit() before .build()'): never;
}

/** A plugin that can be built. */
export interface HandledPluginBuilder<T extends AnyTool> {
  /** Steps around every sampling of the tool. */
  sampling(config: PluginSamplingConfig): HandledPluginBuilder<T>;
  build(): Plugin<T>;
}

type Surplus<K extends PropertyKey> = `the tool declares no elicitation '${K & string}'`;

/**
 * Starts a plugin: a tool with a handler for each elicitation it declares.
 *
 * @throws `PluginDefinitionError` when a handler is missing or surplus.
 *
 * @example
 * export const plugin = makePlugin(bookFlight)
 *   .onElicit({
 *     *pickFlight(request, ctx) {
 *       const flightId = yield* ctx.render(FlightList, { flights: request.flights });
 *       return { action: 'accept', content: { flightId } };
 *     },
 *   })
 *   .build();
 */
export function makePlugin<T extends AnyTool>(tool: T): PluginBuilder<T> {
  if (!isTool(tool)) {
    throw new PluginDefinitionError(
      'makePlugin takes a tool: end createMcpTool(…) with .execute() or .handoff()',
    );
  }
  return Object.freeze({
    ...unbuilt(tool),
    onElicit: (handlers: Readonly<Record<string, unknown>>) => handled(tool, checked(tool, handlers), {}),
    build: () => {
      throw new PluginDefinitionError(`plugin of tool '${tool.name}': call .onElicit() before .build()`);
    },
  });
}

/** What `unbuiltPluginOf` knows it by. */
function unbuilt({ name }: AnyTool) {
  return { kind: 'parley.plugin-builder', toolName: name } as const;
}

type Handlers = Readonly<Record<string, AnyElicitHandler>>;

function handled<T extends AnyTool>(
  tool: T,
  handlers: Handlers,
  sampling: PluginSamplingConfig,
): HandledPluginBuilder<T> {
  return Object.freeze({
    ...unbuilt(tool),
    sampling: (config: PluginSamplingConfig) => handled(tool, handlers, checkedSteps(tool, config)),
    build: (): Plugin<T> =>
      Object.freeze({
        kind: 'parley.plugin',
        server: Object.freeze({ tools: Object.freeze([tool] as const), sampling }),
        client: Object.freeze({ toolName: tool.name, handlers }),
        mcp: tool,
      }),
  });
}

const SAMPLING_STEPS = ['before', 'act', 'after'];

function checkedSteps(tool: AnyTool, config: PluginSamplingConfig): PluginSamplingConfig {
  const at = `plugin of tool '${tool.name}'`;
  if (!isObject(config)) {
    throw new PluginDefinitionError(`${at}: .sampling() takes { before, act, after }, each of them or none`);
  }
  const names = Object.keys(config);
  // What else is there may be for the steps, which have it as `this`.
  if (names.length > 0 && !names.some((name) => SAMPLING_STEPS.includes(name))) {
    throw new PluginDefinitionError(
      `${at}: .sampling() knows no '${names[0]}': it knows ${SAMPLING_STEPS.join(', ')}`,
    );
  }
  for (const name of SAMPLING_STEPS) {
    const step: unknown = Reflect.get(config, name);
    if (step !== undefined && (typeof step !== 'function' || isAsync(step))) {
      throw new PluginDefinitionError(`${at}: the sampling step '${name}' is not a generator function`);
    }
  }
  return Object.freeze({ ...config });
}

function checked(tool: AnyTool, handlers: Readonly<Record<string, unknown>>): Handlers {
  if (!isObject(handlers)) {
    throw new PluginDefinitionError(
      `plugin of tool '${tool.name}': .onElicit() takes an object with a handler for each question, {} for a tool that asks nothing`,
    );
  }
  const declared = Object.keys(tool.def.elicits);
  const given = Object.keys(handlers);
  const missing = declared.filter((key) => !given.includes(key));
  const surplus = given.filter((key) => !declared.includes(key));
  const problems = [
    ...missing.map((key) => `'${key}' has no handler: add one, or '${key}': 'form' for the schema form`),
    ...surplus.map((key) => `'${key}' is no elicitation of the tool: declare it in .elicits(), or drop it`),
    ...declared
      .filter((key) => given.includes(key) && handlers[key] !== 'form')
      .filter((key) => typeof handlers[key] !== 'function' || isAsync(handlers[key]))
      .map((key) => `the handler '${key}' is not a generator function`),
  ];
  if (problems.length > 0) {
    throw new PluginDefinitionError(`plugin of tool '${tool.name}': ${problems.join('; ')}`, {
      details: { missing, surplus },
    });
  }
  const functions = Object.entries(handlers).filter(([, handler]) => typeof handler === 'function');
  return Object.freeze(Object.fromEntries(functions)) as Handlers;
}
