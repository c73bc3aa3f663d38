import { type Operation, type Result, scoped, spawn } from 'effection';
import { answerAsk } from './answer-ask.ts';
import type { ForeignContext } from './foreign-context.ts';
import { CallInFlight, type CallsInFlight } from './in-flight.ts';
import type { ModelConsent } from './model-consent.ts';

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
  let isOver = false;
  try {
    called.calls
      .run(call, () => request(call, stop.signal))
      .then(
        (value) => call.settle({ ok: true, value }),
        (error: Error) => call.settle({ ok: false, error }),
      );
    const outcome = (yield* outcomeOf(call, ctx, true)) ?? (yield* answering(called, call, ctx));
    isOver = true;
    if (outcome.ok) return outcome.value;
    throw outcome.error;
  } finally {
    called.calls.end(call);
    call.abandon();
    // Of one that has been answered there is nothing to cancel: an error for nobody is not made.
    if (!isOver) stop.abort(new Error('the call was cancelled'));
  }
}

/** Most calls ask nothing: a scope to answer in is made for those that do. */
function answering<T>(called: Called, call: CallInFlight<T>, ctx: ForeignContext): Operation<Result<T>> {
  return scoped(function* () {
    yield* spawn(function* () {
      for (;;) yield* answerAsk(called, ctx, yield* call.nextAsk());
    });
    for (;;) {
      const outcome = yield* outcomeOf(call, ctx, false);
      if (outcome) return outcome;
    }
  });
}

/** What came of a call; nothing when it asks first and `untilAsked`. */
function* outcomeOf<T>(
  call: CallInFlight<T>,
  ctx: ForeignContext,
  untilAsked: boolean,
): Operation<Result<T> | undefined> {
  for (;;) {
    const happening = yield* call.next(untilAsked);
    if (!happening || 'ok' in happening) return happening;
    for (const { level, message, data } of happening.logs) yield* ctx.log(level, message, data);
    if (!happening.progress) continue;
    const { progress, total, message = '' } = happening.progress;
    yield* ctx.notify(message, { value: progress, ...(total === undefined ? {} : { total }) });
  }
}
