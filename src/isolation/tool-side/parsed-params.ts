import type { Operation } from 'effection';
import { ParamsInvalidError } from '../../core/errors/definition-errors.ts';
import { defined } from '../../core/schema/defined.ts';
import type { StandardIssue, StandardResult } from '../../core/schema/standard-schema.ts';
import { type Validation, validate } from '../../core/schema/validate.ts';
import type { AnyTool } from '../../core/tool/tool.ts';
import { toLoggedJson } from '../../runtime/data/json-data.ts';
import type { OrderOf } from '../wire/orders.ts';
import type { Report } from '../wire/reports.ts';

/** Parameters that were parsed for a call that never came do not stay for ever. */
const CAPACITY = 256;

/** Parameters from when they are parsed until their call starts: what they were parsed to may be more than JSON. */
export class ParsedParams {
  readonly #report: (report: Report) => void;
  readonly #kept = new Map<number, unknown>();

  constructor(report: (report: Report) => void) {
    this.#report = report;
  }

  parse({ parse, value }: OrderOf<'parse'>, tool: AnyTool | undefined): void {
    const fail = (message: string) => this.#report({ type: 'unfit', parse, issues: [{ message }] });
    if (!tool) {
      fail('the tool is gone');
      return;
    }
    const tell = (result: StandardResult<unknown>) => {
      if (result.issues) {
        this.#report({ type: 'unfit', parse, issues: result.issues.map(plainIssue) });
        return;
      }
      this.#keep(parse, result.value);
      // Whoever looks at the parameters elsewhere sees their JSON.
      const json = toLoggedJson(result.value);
      this.#report({ type: 'parsed', parse, ...defined({ value: json }) });
    };
    const crashed = (error: unknown) =>
      fail(`it could not be checked (${error instanceof Error ? error.message : String(error)})`);
    try {
      const result = tool.def.parameters.schema['~standard'].validate(value);
      if ('then' in result) Promise.resolve(result).then(tell, crashed);
      else tell(result);
    } catch (error) {
      crashed(error);
    }
  }

  /** The parameters of a call that starts. */
  *take({ parse, params }: OrderOf<'start'>, tool: AnyTool): Operation<unknown> {
    if (this.#kept.has(parse)) {
      const value = this.#kept.get(parse);
      this.#kept.delete(parse);
      return value;
    }
    const checked: Validation<unknown> = yield* validate(tool.def.parameters.schema, params);
    if (!checked.ok) throw new ParamsInvalidError(tool.name, checked.problem);
    return checked.value;
  }

  #keep(parse: number, value: unknown): void {
    this.#kept.set(parse, value);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > CAPACITY && oldest !== undefined) this.#kept.delete(oldest);
  }
}

function plainIssue({ message, path }: StandardIssue) {
  const steps = (path ?? []).map((step) => {
    const key = typeof step === 'object' ? step.key : step;
    return typeof key === 'number' ? key : String(key);
  });
  return { message, path: steps };
}
