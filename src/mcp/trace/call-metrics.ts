import type { Attributes, Counter, Histogram, MeterProvider, UpDownCounter } from '@opentelemetry/api';
import type { Operation } from 'effection';
import {
  type AskClosing,
  type EndEvent,
  isEnd,
  RELEASED,
  type SessionEvent,
} from '../../runtime/session/events.ts';
import type { Session } from '../../runtime/session/session.ts';
import { callAttributes } from './call-attributes.ts';
import type { Telemetry } from './open-telemetry.ts';
import type { TracedCall } from './trace-context.ts';

interface Instruments {
  readonly calls: Counter;
  readonly open: UpDownCounter;
  readonly duration: Histogram;
  readonly samplings: Counter;
}

/** How a call ended here. One that is put away waits in a store, or with its client, and is counted again when it goes on. */
type Outcome = EndEvent['type'] | 'refused' | 'released';

/** Seconds: of a tool that computes, and of one that waits for a person. */
const BUCKETS = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 900, 3600];

/** The instruments of a provider: made once, for the SDK keeps them. */
const made = new WeakMap<MeterProvider, Instruments>();

function instrumentsOf({ metrics }: Telemetry): Instruments {
  const provider = metrics.getMeterProvider();
  const known = made.get(provider);
  if (known) return known;
  const meter = provider.getMeter('parley-mcp');
  const instruments: Instruments = {
    calls: meter.createCounter('parley.calls', { description: 'Calls that ended, by how they did' }),
    open: meter.createUpDownCounter('parley.calls.open', {
      description: 'Calls that run, or wait for an answer',
    }),
    duration: meter.createHistogram('parley.call.duration', {
      description: 'How long calls took, the time in which they waited for answers included',
      unit: 's',
      advice: { explicitBucketBoundaries: BUCKETS },
    }),
    samplings: meter.createCounter('parley.samplings', {
      description: 'Samplings of a model that were answered, or failed',
    }),
  };
  made.set(provider, instruments);
  return instruments;
}

/** Counts a call from its beginning to its end: by its name and outcome, and by nothing that anybody said or who they are. */
export class CallMetrics {
  readonly #instruments: Instruments;
  readonly #name: Attributes;
  readonly #began = performance.now();
  readonly #asks = new Set<string>();
  readonly #samplings = new Set<string>();
  #state: 'running' | 'waiting' | undefined;

  constructor(api: Telemetry, call: TracedCall) {
    this.#instruments = instrumentsOf(api);
    this.#name = callAttributes(call);
  }

  /** Begins the call, and follows it to its end. */
  *measure(start: () => Operation<Session>): Operation<Session> {
    let session: Session | undefined;
    try {
      session = yield* start();
      this.#follow(session);
      return session;
    } finally {
      if (!session) this.#ended('refused');
    }
  }

  #follow(session: Session): void {
    const stop = session.subscribe((event) => {
      this.#happened(event);
      if (isEnd(event)) stop();
    });
    for (const ask of session.openAsks()) this.#opened(ask);
    this.#stand();
    const end = session.ended();
    if (!end) return;
    stop();
    this.#ended(outcomeOf(end));
  }

  #happened(event: SessionEvent): void {
    if (isEnd(event)) {
      this.#ended(outcomeOf(event));
      return;
    }
    if ('ask' in event) this.#opened(event.ask);
    else if (event.type === 'ask_closed') this.#closed(event.id, event.how);
    this.#stand();
  }

  #opened({ id, kind }: { readonly id: string; readonly kind: string }): void {
    this.#asks.add(id);
    if (kind === 'sample') this.#samplings.add(id);
  }

  #closed(id: string, how: AskClosing): void {
    this.#asks.delete(id);
    // One that is withdrawn cost nothing, or is asked again where the call goes on.
    if (this.#samplings.delete(id) && how !== 'withdrawn') {
      this.#instruments.samplings.add(1, { ...this.#name, 'parley.outcome': how });
    }
  }

  /** It waits while it asks for anything, whatever else it does. */
  #stand(): void {
    this.#move(this.#asks.size > 0 ? 'waiting' : 'running');
  }

  #move(state: 'running' | 'waiting' | undefined): void {
    if (state === this.#state) return;
    const { open } = this.#instruments;
    if (this.#state) open.add(-1, { ...this.#name, 'parley.call.state': this.#state });
    if (state) open.add(1, { ...this.#name, 'parley.call.state': state });
    this.#state = state;
  }

  #ended(outcome: Outcome): void {
    this.#move(undefined);
    const attributes = { ...this.#name, 'parley.outcome': outcome };
    this.#instruments.calls.add(1, attributes);
    this.#instruments.duration.record((performance.now() - this.#began) / 1000, attributes);
  }
}

function outcomeOf(end: EndEvent): Outcome {
  return end.type === 'aborted' && end.reason === RELEASED ? 'released' : end.type;
}
