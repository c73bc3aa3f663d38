import { type Operation, until } from 'effection';
import { type InsteadOfAnswer, isInstead } from './stop-call.ts';

/** One scripted response: itself, an error to throw, `stopCall()`, `goBack(key)`, or a function of the request, which may be asynchronous. */
export type Scripted<Request, Response> =
  | Response
  | Error
  | InsteadOfAnswer
  | ((request: Request) => Response | InsteadOfAnswer | Promise<Response | InsteadOfAnswer>);

/** Responses in order, or one function for all of them. */
export type Script<Request, Response> =
  | readonly Scripted<Request, Response>[]
  | ((request: Request) => Response | InsteadOfAnswer | Promise<Response | InsteadOfAnswer>);

/** Responses in order, by function, or by the key of what is asked: either of these, or one response for each time. */
export type KeyedScript<Request, Response> =
  | Script<Request, Response>
  | { readonly [key: string]: Response | InsteadOfAnswer | Script<Request, Response> };

/** The script has no (further) answer to what a tool asked. */
export class MissingResponseError extends Error {
  override readonly name = 'MissingResponseError';
}

/** A test says what something gives that never was: what it was meant for has run. */
export class UnusedDoubleError extends Error {
  override readonly name = 'UnusedDoubleError';

  constructor(option: string, unused: string, whatDid: string, those: ReadonlySet<string>) {
    const did = those.size === 0 ? 'there was none' : `there were '${[...those].join("', '")}'`;
    super(
      `'${option}' says what '${unused}' gives, and no such ${whatDid} (${did}): correct its name, or leave it out`,
    );
  }
}

/** Reads a script, one response after the other. */
export interface ScriptReader<Request, Response> {
  /** @throws `MissingResponseError` saying what was asked, why again, and what the script has. */
  next(request: Request, asked: string, refused?: string): Operation<Response>;
  /** The answers that nobody asked for, each as a sentence. */
  unused(): readonly string[];
}

/**
 * Makes the reader of one script. `option` is where a test writes it, for messages, and `beside` the names that have a script where
 * this one has none: the name may be misspelt.
 */
export function readScript<Request, Response>(
  script: Script<Request, Response> | undefined,
  option: string,
  beside: readonly string[] = [],
): ScriptReader<Request, Response> {
  let at = 0;
  const take = (asked: string, refused: string | undefined): Scripted<Request, Response> => {
    if (typeof script === 'function') return script;
    const taken = script?.[at];
    at += 1;
    if (taken !== undefined) return taken;
    const none = beside.length === 0 ? 'there are none' : `there are some for '${beside.join("', '")}'`;
    const has = script === undefined ? none : `there are ${script.length}, all used`;
    throw new MissingResponseError(
      refused === undefined
        ? `${asked}, and ${option} has no answer number ${at} (${has}): add one`
        : `${asked} again, because the last answer does not fit: ${refused}. Correct it, or add an answer number ${at} to ${option} (${has})`,
    );
  };
  return {
    *next(request, asked, refused) {
      const scripted = take(asked, refused);
      if (!isFunction(scripted)) return said(scripted);
      const given = scripted(request);
      return said(given instanceof Promise ? yield* until(given) : given);
    },
    unused: () =>
      typeof script === 'object' && at < script.length
        ? script
            .slice(at)
            .map((answer, index) => `${option}, answer number ${at + index + 1}: ${shortened(answer)}`)
        : [],
  };
}

/** Thrown where the script does something else than answer; the scripted client does it. */
export class InsteadRequest extends Error {
  readonly instead: InsteadOfAnswer;
  constructor(instead: InsteadOfAnswer) {
    super(instead.kind);
    this.instead = instead;
  }
}

/** The response. @throws what stands in its place */
function said<Response>(given: Response | Error | InsteadOfAnswer): Response {
  if (given instanceof Error) throw given;
  if (isInstead(given)) throw new InsteadRequest(given);
  return given;
}

function shortened(answer: unknown): string {
  const text = typeof answer === 'function' ? 'a function' : (JSON.stringify(answer) ?? String(answer));
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

function isFunction<Request, Response>(
  scripted: Scripted<Request, Response>,
): scripted is Extract<Scripted<Request, Response>, (request: Request) => unknown> {
  return typeof scripted === 'function';
}
