import { isTool } from '../core/plugin/guards.ts';
import { checkOptions, type OptionNames } from '../core/schema/check-options.ts';
import type { AnyTool, ParamsInputOf } from '../core/tool/tool.ts';
import { invalidState } from '../mcp/wire/state/bound.ts';
import { createCarriedCodec } from '../mcp/wire/state/carried-state.ts';
import type { CallStore } from '../runtime/journal/call-store.ts';
import { createEngine } from './engine.ts';
import { hostOf } from './hosts.ts';
import { callOfRound, OpenedRound } from './rounds.ts';
import { serveStraight } from './serve-straight.ts';
import { type StraightCode, type StraightHandler, toolOfCode } from './straight.ts';

/** What `inline` takes. */
export interface InlineOptions {
  /**
   * 32 bytes each: the first seals what a client of 2026-07-28 carries from question to question, all of them open it. Replicas share them. By
   * default drawn, so that only this process goes on with its calls.
   */
  readonly keys?: readonly Uint8Array[];
  /** Whose call it is, from what the host hands over. By default who has logged in, as the host's token says. */
  readonly principal?: (host: unknown) => string | undefined;
  /**
   * Where calls wait that have asked: a store of `parley-mcp/stores` that the replicas share, or the memory of this one process. Without, clients carry
   * them, and can bring them twice: steps that do more than read are refused then.
   */
  readonly book?: CallStore | 'memory';
  /** Steps may be done again with the same answers: needed for those that do more than read where there is no `book`. */
  readonly forks?: boolean;
  /** How long a question waits for its answer, milliseconds; an hour by default. */
  readonly ttl?: number;
  /** Hears what went wrong beside a call. */
  readonly onProblem?: (message: string, cause?: unknown) => void;
}

const OPTIONS: OptionNames<InlineOptions> = {
  ...{ keys: true, principal: true, book: true, forks: true, ttl: true, onProblem: true },
};

/** The hook of SDK v2 for states that clients bring: `ServerOptions.requestState.verify`. */
export type VerifyState = (state: string, host: unknown) => unknown;

/** Makes handlers of straight-line functions. */
export interface Straight {
  /** `function* release(args, ctx) { … }`: the name of the function is that of the tool. */
  <A>(code: StraightCode<A>): StraightHandler<A>;
  <A>(name: string, code: StraightCode<A>): StraightHandler<A>;
  /** A tool of Parley. Its parameters are checked here, too. */
  <T extends AnyTool>(tool: T): StraightHandler<ParamsInputOf<T>>;
  /** Refuses states that were changed before the handler runs; hands those that are none of ours to `next`. */
  verify(next?: VerifyState): VerifyState;
}

const HOUR = 3_600_000;

/**
 * Straight-line functions as handlers of tools, in a server made with SDK v1, SDK v2, fastmcp, or by hand.
 *
 * @throws `TypeError` for options that it does not know, and for keys of another length
 * @example
 * const straight = inline({ keys: [key] });
 * const release = straight(function* release(args: { branch: string }, ctx) {
 *   const { version } = yield* ctx.elicit.strict({ message: 'Which version?', schema: z.object({ version: z.string() }) });
 *   return `${args.branch} is ${version}`;
 * });
 */
export function inline(options: InlineOptions = {}): Straight {
  checkOptions('inline', options, Object.keys(OPTIONS));
  const { keys = [crypto.getRandomValues(new Uint8Array(32))], book, forks = false, ttl = HOUR } = options;
  const codec = createCarriedCodec(keys);
  const engine = createEngine({
    ...{ book, ttl, codec: book === undefined ? codec : undefined },
    report: (message, cause) => options.onProblem?.(message, cause),
  });
  const whose = (given: unknown) => options.principal?.(given) ?? hostOf(given, ttl).principal ?? '';

  function straight<A>(
    first: string | AnyTool | StraightCode<A>,
    second?: StraightCode<A>,
  ): StraightHandler<A> {
    const code = second ?? first;
    const name = typeof first === 'string' ? first : first.name;
    if (!name)
      throw new TypeError(
        'straight(function* name(args, ctx) { … }): name the function as the tool, or say straight(name, …)',
      );
    const made = (args: A): { readonly tool: AnyTool; readonly params: unknown } => {
      if (isTool(code)) return { tool: code, params: args };
      return { tool: toolOfCode(name, code as StraightCode<A>, args, forks), params: {} };
    };
    return async (...given: readonly unknown[]) => {
      // Hosts call the handler of a tool without a schema with nothing but what they hand over. The types say what is first else.
      const [args, handed] = (given.length < 2 ? [{}, given[0]] : given) as [A, unknown];
      const host = hostOf(handed, ttl);
      const call = { ...made(args), args, host, principal: whose(handed) };
      return await engine.run((parts) => serveStraight(parts, call));
    };
  }

  return Object.assign(straight as Straight, {
    verify:
      (next?: VerifyState): VerifyState =>
      async (state, host) => {
        if (codec.knows(state)) return new OpenedRound(await codec.open(state, whose(host), Date.now()));
        if (callOfRound(state) !== undefined) return state;
        if (!next) throw invalidState();
        return await next(state, host);
      },
  });
}
