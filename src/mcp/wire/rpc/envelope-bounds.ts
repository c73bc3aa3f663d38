import { isObject } from '../../../core/schema/is-object.ts';

/** Values in the `_meta` of one message: what clients say of themselves and of the request is short. */
const MAX_META = 1_000;

/** Answers in one request: a round asks a handful of questions. */
const MAX_RESPONSES = 100;

/** Messages in one batch. */
const MAX_BATCH = 100;

/** What is wrong with the size of a batch; `undefined` when nothing is. Each message of it may be answered. */
export function batchExcess({ length }: readonly unknown[]): string | undefined {
  return length === 0 || length > MAX_BATCH ? `a batch holds 1 to ${MAX_BATCH} messages` : undefined;
}

/**
 * What is too much about the frame of a message, the part that an SDK checks value by value before anything of ours
 * sees it; `undefined` when it is within bounds.
 */
export function envelopeExcess(message: unknown): string | undefined {
  const params = isObject(message) ? (message.params ?? message.result) : undefined;
  if (!isObject(params)) return undefined;
  if (params._meta !== undefined && countOf(params._meta, MAX_META) > MAX_META)
    return `_meta holds more than ${MAX_META} values`;
  const { inputResponses, capabilities, clientInfo } = params;
  if (isObject(inputResponses) && Object.keys(inputResponses).length > MAX_RESPONSES) {
    return `inputResponses holds more than ${MAX_RESPONSES} answers`;
  }
  const isHandshake = capabilities !== undefined || clientInfo !== undefined;
  if (isHandshake && countOf([capabilities, clientInfo], MAX_META) > MAX_META) {
    return `capabilities and clientInfo hold more than ${MAX_META} values`;
  }
  return undefined;
}

/** Values within a value, itself among them; counted no further than the limit. */
function countOf(value: unknown, limit: number): number {
  let count = 0;
  const rest: unknown[] = [value];
  for (let one = rest.pop(); count <= limit; one = rest.pop()) {
    count += 1;
    if (typeof one === 'object' && one !== null) {
      const inner = Object.values(one);
      count += Math.max(0, inner.length - limit);
      rest.push(...inner.slice(0, limit));
    }
    if (rest.length === 0) break;
  }
  return count;
}
