import { type Operation, type Result, scoped, spawn } from 'effection';
import { answerAsk } from './answer-ask.ts';
import type { ForeignContext } from './foreign-context.ts';
import { CallInFlight, type CallsInFlight } from './in-flight.ts';
import type { ModelConsent } from './sample-for.ts';

/** Who is called, and what is remembered of it. */
export interface Called {
  readonly name: string;
  readonly calls: CallsInFlight;
  readonly consent: ModelConsent;
}

/**
 * Makes a request of a server as a part of a call of ours: what the server asks meanwhile is asked of whoever answers this call, what
 * it reports is reported here, and halting cancels the request.
 */
export function* followCall<T>(
  called: Called,
  ctx: ForeignContext,
  request: (call: CallInFlight<T>, signal: AbortSignal) => Promise<T>,
): Operation<T> {
  const call = new CallInFlight<T>();
  const stop = new AbortController();
  try {
    return yield* scoped(function* () {
      called.calls
        .run(call, () => request(call, stop.signal))
        .then(
          (value) => call.settle({ ok: true, value }),
          (error: Error) => call.settle({ ok: false, error }),
        );
      yield* spawn(function* () {
        for (;;) yield* answerAsk(called, ctx, yield* call.nextAsk());
      });
      const outcome = yield* outcomeOf(call, ctx);
      if (outcome.ok) return outcome.value;
      throw outcome.error;
    });
  } finally {
    called.calls.end(call);
    call.abandon();
    stop.abort(new Error('the call was cancelled'));
  }
}

function* outcomeOf<T>(call: CallInFlight<T>, ctx: ForeignContext): Operation<Result<T>> {
  for (;;) {
    const happening = yield* call.next();
    if ('ok' in happening) return happening;
    for (const { level, message, data } of happening.logs) yield* ctx.log(level, message, data);
    if (!happening.progress) continue;
    const { progress, total, message = '' } = happening.progress;
    yield* ctx.notify(message, { value: progress, ...(total === undefined ? {} : { total }) });
  }
}
