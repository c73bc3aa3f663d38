import { action, ensure, type Operation } from 'effection';
import type { ErrorData } from '../../core/errors/error-data.ts';
import { errorFromData } from '../../core/errors/error-from-data.ts';
import type { JsonValue } from '../../core/messages/json.ts';
import { toJson } from '../../runtime/data/json-data.ts';
import type { Report } from '../wire/reports.ts';

interface Waiting {
  resolve(value: JsonValue | undefined): void;
  reject(error: Error): void;
}

/** What a call borrows from the realm of the editor: one request each, by name. */
export class Borrowed {
  readonly #call: number;
  readonly #report: (report: Report) => void;
  readonly #waiting = new Map<number, Waiting>();
  #count = 0;

  constructor(call: number, report: (report: Report) => void) {
    this.#call = call;
    this.#report = report;
  }

  /** Asks for `what` and waits. What was lent for longer than that ends with the scope that asked. */
  *borrow(what: string, args: readonly unknown[]): Operation<JsonValue | undefined> {
    const json = toJson(args);
    if (!json.ok) throw new Error(`${what} takes JSON: ${json.problem}`);
    const loan = ++this.#count;
    const call = this.#call;
    yield* ensure(() => {
      this.#waiting.delete(loan);
      this.#report({ type: 'giveBack', call, loan });
    });
    return yield* action<JsonValue | undefined>((resolve, reject) => {
      this.#waiting.set(loan, { resolve, reject });
      this.#report({ type: 'borrow', call, loan, what, args: (json.value ?? []) as JsonValue[] });
      return () => {};
    }, what);
  }

  lent(loan: number, value: JsonValue | undefined): void {
    this.#waiting.get(loan)?.resolve(value);
  }

  refused(loan: number, error: ErrorData): void {
    this.#waiting.get(loan)?.reject(errorFromData(error));
  }
}
