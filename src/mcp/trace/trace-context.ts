import { isObject } from '../../core/schema/is-object.ts';
import { callContext } from '../../core/world/call-context.ts';

/** Where a call stands in a trace, as W3C Trace Context writes it; the keys are those of `_meta` (SEP-414). */
export interface TraceContext {
  readonly traceparent: string;
  readonly tracestate?: string;
}

/** What a call is called in a trace. */
export interface TracedCall {
  readonly method: string;
  /** The name of the tool or prompt, or of what else runs. */
  readonly name: string;
}

const PARENT = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;
const MEMBER =
  /^(?:[a-z][a-z0-9_\-*/]{0,255}|[a-z0-9][a-z0-9_\-*/]{0,240}@[a-z][a-z0-9_\-*/]{0,13})=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/;

/** What the specification asks everybody to hand on at least, and the most that is handed on here. */
const MAX_STATE = 512;
const MAX_MEMBERS = 32;

/** The trace context in a request's `_meta`. What is not written exactly as the specification says is not there. */
export function traceContextOf(meta: unknown): TraceContext | undefined {
  if (!isObject(meta)) return undefined;
  const { traceparent, tracestate } = meta;
  if (typeof traceparent !== 'string' || !PARENT.test(traceparent)) return undefined;
  return isState(tracestate) ? { traceparent, tracestate } : { traceparent };
}

function isState(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > MAX_STATE) return false;
  const members = value.split(',').map((member) => member.trim());
  return members.length <= MAX_MEMBERS && members.every((member) => MEMBER.test(member));
}

/** Where the call stands that code runs in, for what it asks of others. */
export const CallTraceContext = callContext<TraceContext | undefined>('parley.trace', undefined);
