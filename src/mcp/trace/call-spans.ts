import type { Attributes, Context, Span, SpanContext } from '@opentelemetry/api';
import { isObject } from '../../core/schema/is-object.ts';
import type { Ask, AskKind } from '../../runtime/session/ask.ts';
import { type EndEvent, isEnd, type SessionEvent } from '../../runtime/session/events.ts';
import type { Session } from '../../runtime/session/session.ts';
import type { StepEnding, StepWatch } from '../../runtime/session/step-watch.ts';
import { callAttributes } from './call-attributes.ts';
import type { Telemetry } from './open-telemetry.ts';
import type { TraceContext, TracedCall } from './trace-context.ts';

/** Where the names are from: OpenTelemetry, "Semantic conventions for Model Context Protocol". */
const METHODS: Readonly<Record<AskKind, string>> = {
  elicit: 'elicitation/create',
  sample: 'sampling/createMessage',
  roots: 'roots/list',
};

/** Characters of what others say: a client of its model, a tool of its error. */
const SHOWN = 100;

/** A call as a span, and what it asks and its steps as spans within. They hold names, numbers and outcomes; nothing that anybody said. */
export class CallSpans implements StepWatch {
  readonly #api: Telemetry;
  readonly #call: Span;
  readonly #within: Context;
  readonly #asks = new Map<string, Span>();
  readonly #steps = new Map<string, Span>();
  #open = true;
  readonly #contexts = new Map<string, TraceContext>();

  constructor(api: Telemetry, call: TracedCall, given: TraceContext | undefined) {
    this.#api = api;
    const ambient = api.context.active();
    const parent = given ? api.trace.setSpanContext(ambient, remote(api, given)) : ambient;
    const around = given && api.trace.getSpanContext(ambient);
    const named = call.method === 'tools/call' || call.method === 'prompts/get';
    this.#call = this.#start(named ? `${call.method} ${call.name}` : call.method, parent, {
      kind: api.SpanKind.SERVER,
      attributes: callAttributes(call),
      ...(around ? { links: [{ context: around }] } : {}),
    });
    this.#within = api.trace.setSpan(parent, this.#call);
  }

  /** Where the call stands. */
  get context(): TraceContext {
    return written(this.#call.spanContext());
  }

  /** Where a question of it stands. */
  contextOf(ask: Ask): TraceContext {
    return this.#contexts.get(ask.id) ?? this.context;
  }

  /** Follows the call to its end. */
  follow(session: Session): void {
    const stop = session.subscribe((event) => {
      this.#happened(event);
      if (isEnd(event)) stop();
    });
    for (const ask of session.openAsks()) this.#opened(ask);
    const end = session.ended();
    if (!end) return;
    stop();
    this.#ended(end);
  }

  began(id: string): void {
    if (!this.#open) return;
    // Its name is left out: code may put into it what it works on.
    this.#steps.set(id, this.#start('step', this.#within, { attributes: { 'parley.step.id': id } }));
  }

  ended(id: string, how: StepEnding): void {
    const span = this.#steps.get(id);
    this.#steps.delete(id);
    if (span) this.#close(span, how === 'done' ? undefined : how);
  }

  /** The call could not begin. */
  refused(): void {
    this.#close(this.#call, 'refused');
  }

  #happened(event: SessionEvent): void {
    if ('ask' in event) this.#opened(event.ask);
    else if (event.type === 'ask_closed') {
      this.#asks.get(event.id)?.setAttributes(modelOf(event.answer));
      this.#closed(event.id, event.how === 'answered' ? undefined : (event.error?.code ?? event.how));
    } else if (isEnd(event)) this.#ended(event);
  }

  #opened(ask: Ask): void {
    // One that is asked again is open already.
    if (this.#asks.has(ask.id)) return;
    const method = METHODS[ask.kind];
    const span = this.#start(method, this.#within, {
      kind: this.#api.SpanKind.CLIENT,
      attributes: {
        'mcp.method.name': method,
        ...(ask.kind === 'sample' ? { 'gen_ai.request.max_tokens': ask.request.maxTokens } : {}),
      },
    });
    this.#asks.set(ask.id, span);
    this.#contexts.set(ask.id, written(span.spanContext()));
  }

  #closed(id: string, problem: string | undefined): void {
    const span = this.#asks.get(id);
    if (!span) return;
    this.#asks.delete(id);
    this.#contexts.delete(id);
    this.#close(span, problem);
  }

  #ended(end: EndEvent): void {
    this.#open = false;
    for (const id of [...this.#steps.keys()]) this.ended(id, 'withdrawn');
    for (const id of [...this.#asks.keys()]) this.#closed(id, 'withdrawn');
    if (end.type === 'result') this.#close(this.#call, undefined);
    else this.#close(this.#call, end.type === 'aborted' ? 'aborted' : 'tool_error');
  }

  #close(span: Span, problem: string | undefined): void {
    if (problem !== undefined) {
      span.setAttribute('error.type', problem.slice(0, SHOWN));
      span.setStatus({ code: this.#api.SpanStatusCode.ERROR });
    }
    span.end();
  }

  #start(
    name: string,
    parent: Context,
    options: Parameters<ReturnType<Telemetry['trace']['getTracer']>['startSpan']>[1],
  ): Span {
    return this.#api.trace.getTracer('parley-mcp').startSpan(name, options, parent);
  }
}

function modelOf(answer: unknown): Attributes {
  return isObject(answer) && answer.role === 'assistant' && typeof answer.model === 'string'
    ? { 'gen_ai.response.model': answer.model.slice(0, SHOWN) }
    : {};
}

function remote(api: Telemetry, { traceparent, tracestate }: TraceContext): SpanContext {
  const [, traceId = '', spanId = '', flags = ''] = traceparent.split('-');
  return {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16) & api.TraceFlags.SAMPLED,
    isRemote: true,
    ...(tracestate === undefined ? {} : { traceState: api.createTraceState(tracestate) }),
  };
}

function written({ traceId, spanId, traceFlags, traceState }: SpanContext): TraceContext {
  const traceparent = `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
  const tracestate = traceState?.serialize();
  return tracestate ? { traceparent, tracestate } : { traceparent };
}
