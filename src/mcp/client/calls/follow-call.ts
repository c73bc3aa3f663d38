import type { Client } from '@modelcontextprotocol/client';
import { type Operation, scoped, spawn } from 'effection';
import { toError } from '../../../core/errors/parley-error.ts';
import { answerAsk } from './answer-ask.ts';
import type { ForeignContext } from './foreign-context.ts';
import { CallInFlight, type CallsInFlight } from './in-flight.ts';
import { ForeignLine } from './line.ts';
import type { ModelConsent } from './model-consent.ts';

/** Who is called, and what is remembered of it. */
export interface Called {
  readonly name: string;
  readonly calls: CallsInFlight;
  readonly consent: ModelConsent;
  /** Waits for its connection. */
  client(): Operation<Client>;
}

/**
 * Makes requests of a server as a part of a call of ours: what the server asks meanwhile is asked of whoever answers this call, what
 * it reports is reported here, and halting cancels the requests.
 */
export function* followCall<T>(
  called: Called,
  client: Client,
  ctx: ForeignContext,
  make: (line: ForeignLine) => Operation<T>,
): Operation<T> {
  const call = new CallInFlight<T>();
  called.calls.begin(call);
  try {
    return yield* scoped(function* () {
      yield* spawn(function* () {
        for (;;) yield* answerAsk(called, ctx, yield* call.nextAsk());
      });
      yield* spawn(function* () {
        try {
          call.settle({
            ok: true,
            value: yield* make(new ForeignLine(client, call, called.calls, () => called.client())),
          });
        } catch (error) {
          call.settle({ ok: false, error: toError(error) });
        }
      });
      return yield* outcomeOf(call, ctx);
    });
  } finally {
    called.calls.end(call);
    call.abandon();
  }
}

/** What came of a call; what it reports until then is reported here. */
function* outcomeOf<T>(call: CallInFlight<T>, ctx: ForeignContext): Operation<T> {
  for (;;) {
    const happening = yield* call.next();
    if ('ok' in happening) {
      if (happening.ok) return happening.value;
      throw happening.error;
    }
    for (const { level, message, data } of happening.logs) yield* ctx.log(level, message, data);
    if (!happening.progress) continue;
    const { progress, total, message = '' } = happening.progress;
    yield* ctx.notify(message, { value: progress, ...(total === undefined ? {} : { total }) });
  }
}
