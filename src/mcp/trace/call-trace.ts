import { type Operation, until } from 'effection';
import type { Ask } from '../../runtime/session/ask.ts';
import type { Session } from '../../runtime/session/session.ts';
import { StepWatchContext } from '../../runtime/session/step-watch.ts';
import type { CallSpans } from './call-spans.ts';
import { telemetry } from './open-telemetry.ts';
import { CallTraceContext, type TraceContext, type TracedCall, traceContextOf } from './trace-context.ts';

type Meta = { readonly _meta?: TraceContext };

type Listening = NonNullable<ReturnType<typeof telemetry>>;

/** The spans of calls that are traced. A call may go on in another request than it began in. */
const spansOf = new WeakMap<Session, CallSpans>();
/** The calls that are counted. */
const counted = new WeakSet<Session>();

/** Whether somebody is told how a call goes on here, and when it is here no longer. */
export function isFollowed(session: Session): boolean {
  return spansOf.has(session) || counted.has(session);
}

/** The trace that a request belongs to, handed on to whoever is asked because of it. */
export class CallTrace {
  readonly #call: TracedCall;
  readonly #spans: boolean;
  readonly #given: TraceContext | undefined;

  /** @param spans whether it may be a span, and be counted */
  constructor(call: TracedCall, meta: unknown, spans: boolean) {
    this.#call = call;
    this.#spans = spans;
    this.#given = traceContextOf(meta);
  }

  /** Begins a call as a part of the trace; as a span, and counted, where somebody listens. */
  begin(start: () => Operation<Session>): Operation<Session> {
    const counting = this.#spans ? telemetry('metrics') : undefined;
    return counting ? this.#counted(counting, start) : this.#traced(start);
  }

  *#counted(counting: Listening, start: () => Operation<Session>): Operation<Session> {
    const api = yield* until(counting);
    if (!api) return yield* this.#traced(start);
    const { CallMetrics } = yield* until(import('./call-metrics.ts'));
    const session = yield* new CallMetrics(api, this.#call).measure(() => this.#traced(start));
    counted.add(session);
    return session;
  }

  #traced(start: () => Operation<Session>): Operation<Session> {
    const listening = this.#spans ? telemetry('trace') : undefined;
    return listening ? this.#spanned(listening, start) : this.#within(start);
  }

  #within(start: () => Operation<Session>): Operation<Session> {
    return this.#given ? CallTraceContext.with(this.#given, start) : start();
  }

  *#spanned(listening: Listening, start: () => Operation<Session>): Operation<Session> {
    const api = yield* until(listening);
    if (!api) return yield* this.#within(start);
    const { CallSpans } = yield* until(import('./call-spans.ts'));
    const spans = new CallSpans(api, this.#call, this.#given);
    let session: Session | undefined;
    try {
      session = yield* CallTraceContext.with(spans.context, () => StepWatchContext.with(spans, start));
      spansOf.set(session, spans);
      spans.follow(session);
      return session;
    } finally {
      if (!session) spans.refused();
    }
  }

  /** What a question to the client carries. */
  metaOf(session: Session | undefined, ask: Ask): Meta {
    const context = (session && spansOf.get(session)?.contextOf(ask)) ?? this.#given;
    return context ? { _meta: context } : {};
  }
}
