import type { Operation } from 'effection';
import type { Ask } from '../../runtime/session/ask.ts';
import type { Session } from '../../runtime/session/session.ts';
import { CallTraceContext, type TraceContext, traceContextOf } from './trace-context.ts';

type Meta = { readonly _meta?: TraceContext };

/** The trace that a request belongs to, handed on to whoever is asked because of it. */
export class CallTrace {
  readonly #given: TraceContext | undefined;

  constructor(meta: unknown) {
    this.#given = traceContextOf(meta);
  }

  /** Begins a call as a part of the trace. */
  *begin(start: () => Operation<Session>): Operation<Session> {
    return this.#given ? yield* CallTraceContext.with(this.#given, start) : yield* start();
  }

  /** What a question to the client carries. */
  metaOf(_session: Session, _ask: Ask): Meta {
    return this.#given ? { _meta: this.#given } : {};
  }
}
