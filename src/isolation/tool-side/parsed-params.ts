import { type Operation, until } from 'effection';
import { ParamsInvalidError } from '../../core/errors/definition-errors.ts';
import { toError } from '../../core/errors/parley-error.ts';
import { defined } from '../../core/schema/defined.ts';
import { issueWords, stepsOf } from '../../core/schema/issue-words.ts';
import type { StandardIssue } from '../../core/schema/standard-schema.ts';
import { validate } from '../../core/schema/validate.ts';
import type { AnyTool } from '../../core/tool/tool.ts';
import { toLoggedJson } from '../../runtime/data/json-data.ts';
import type { MethodParams, MethodResult } from '../wire/contract.ts';
import type { CallStart, RealmMethods } from '../wire/methods/realm-methods.ts';

/** Parameters that were parsed for a call that never came do not stay for ever. */
const CAPACITY = 256;

/** Parameters from when they are parsed until their call starts: what they were parsed to may be more than JSON. */
export class ParsedParams {
  readonly #kept = new Map<number, unknown>();

  *parse(
    { parse, value }: MethodParams<RealmMethods, 'parse'>,
    tool: AnyTool | undefined,
  ): Operation<MethodResult<RealmMethods, 'parse'>> {
    if (!tool) return { issues: [{ message: 'the tool is gone' }] };
    try {
      const given = tool.def.parameters.schema['~standard'].validate(value);
      const result = 'then' in given ? yield* until(Promise.resolve(given)) : given;
      if (result.issues) return { issues: result.issues.map((issue) => plainIssue(issue, value)) };
      this.#keep(parse, result.value);
      // Whoever looks at the parameters elsewhere sees their JSON.
      return defined({ value: toLoggedJson(result.value) });
    } catch (error) {
      return { issues: [{ message: `it could not be checked (${toError(error).message})` }] };
    }
  }

  /** The parameters of a call that starts. */
  *take({ parse, params }: CallStart, tool: AnyTool): Operation<unknown> {
    if (this.#kept.has(parse)) {
      const value = this.#kept.get(parse);
      this.#kept.delete(parse);
      return value;
    }
    const checked = yield* validate(tool.def.parameters.schema, params);
    if (!checked.ok) throw new ParamsInvalidError({ toolName: tool.name, problem: checked.problem });
    return checked.value;
  }

  #keep(parse: number, value: unknown): void {
    this.#kept.set(parse, value);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > CAPACITY && oldest !== undefined) this.#kept.delete(oldest);
  }
}

function plainIssue(issue: StandardIssue, given: unknown) {
  const path = stepsOf(issue).map((key) => (typeof key === 'number' ? key : String(key)));
  return { message: issueWords(issue, given), path };
}
