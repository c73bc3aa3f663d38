import { CallAbortedError } from '../../../core/errors/call-errors.ts';
import { errorFromData } from '../../../core/errors/data/error-from-data.ts';
import type { EndEvent } from '../../../runtime/session/events.ts';

/** What a command fails with whose call did not give a result. Loaded then: it brings all errors along. */
export function errorOfEnd(end: Exclude<EndEvent, { type: 'result' }> | undefined): Error {
  return end?.type === 'error'
    ? errorFromData(end.error)
    : new CallAbortedError({ reason: end?.reason ?? '' });
}
