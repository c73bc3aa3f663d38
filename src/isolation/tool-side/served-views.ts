import { action, type Operation } from 'effection';
import type { ErrorData } from '../../core/errors/error-data.ts';
import { errorFromData } from '../../core/errors/error-from-data.ts';
import type { JsonObject, JsonValue } from '../../core/messages/json.ts';
import type { ViewReference } from '../../core/plugin/view.ts';
import { defined } from '../../core/schema/defined.ts';
import type { ViewPort } from '../../runtime/context/run-handler.ts';
import type { Report } from '../wire/reports.ts';

interface WaitingView {
  resolve(value: JsonValue | undefined): void;
  reject(error: Error): void;
}

/** Where the views of a handler appear when the panel is in another realm. */
export class ServedViews implements ViewPort {
  readonly #handling: number;
  readonly #report: (report: Report) => void;
  readonly #waiting = new Map<number, WaitingView>();
  #count = 0;

  constructor(handling: number, report: (report: Report) => void) {
    this.#handling = handling;
    this.#report = report;
  }

  render(reference: ViewReference, props: JsonObject): Operation<unknown> {
    return this.#draw(reference, props, true);
  }

  *show(reference: ViewReference, props: JsonObject): Operation<void> {
    yield* this.#draw(reference, props, false);
  }

  *reportProgress(message: string, progress?: Parameters<ViewPort['reportProgress']>[1]): Operation<void> {
    this.#report({
      type: 'busy',
      handling: this.#handling,
      message,
      ...defined({ progress }),
    });
  }

  answered(view: number, value: JsonValue | undefined): void {
    this.#take(view)?.resolve(value);
  }

  failed(view: number, error: ErrorData): void {
    this.#take(view)?.reject(errorFromData(error));
  }

  *#draw({ key, name }: ViewReference, props: JsonObject, waits: boolean): Operation<unknown> {
    const view = ++this.#count;
    const handling = this.#handling;
    try {
      return yield* action<JsonValue | undefined>((resolve, reject) => {
        this.#waiting.set(view, { resolve, reject });
        const reference = { kind: 'parley.view', key, name } as const;
        this.#report({ type: 'render', handling, view, reference, props, waits });
        return () => {};
      }, `answer of the view ${name}`);
    } finally {
      if (this.#take(view)) this.#report({ type: 'unrender', handling, view });
    }
  }

  #take(view: number): WaitingView | undefined {
    const waiting = this.#waiting.get(view);
    this.#waiting.delete(view);
    return waiting;
  }
}
