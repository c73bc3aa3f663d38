import { isObject } from '../../../core/schema/is-object.ts';

/** Values in the `_meta` of one message: what clients say of themselves and of the request is short. */
const MAX_META = 1_000;

/** Answers in one request: a round asks a handful of questions. */
const MAX_RESPONSES = 100;

/** Resources, and tasks, that one `subscriptions/listen` names: each is kept as long as its stream. */
const MAX_LISTENED = 1_000;

/** Characters of the id of a request. */
const MAX_ID = 1_000;

/**
 * Characters of a request beside what it is about, where each value counts for sixteen more. They are kept as long as its call or its session,
 * and count for nobody; what calls are about does.
 */
const MAX_FRAME = 64 * 1024;

/** Requests that are kept so. */
const KEPT: ReadonlySet<unknown> = new Set(['initialize', 'tools/call', 'prompts/get', 'resources/read']);

/** What they are about. Names and addresses are looked up at once: long ones are nobody's. */
const CONTENT: ReadonlySet<string> = new Set(['arguments', 'inputResponses', 'name', 'requestState', 'uri']);

/** Messages in one batch. */
const MAX_BATCH = 100;

/** What is wrong with the size of a batch; `undefined` when nothing is. Each message of it may be answered. */
export function batchExcess({ length }: readonly unknown[]): string | undefined {
  return length === 0 || length > MAX_BATCH ? `a batch holds 1 to ${MAX_BATCH} messages` : undefined;
}

/**
 * What is too much about the frame of a message, the part that is checked value by value; `undefined` when it is within
 * bounds.
 */
export function envelopeExcess(message: unknown): string | undefined {
  if (!isObject(message)) return undefined;
  const { id, method } = message;
  if (typeof id === 'string' && id.length > MAX_ID) return `its id is longer than ${MAX_ID} characters`;
  const params = message.params ?? message.result;
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
  if (isObject(params.notifications)) {
    const lists = Object.values(params.notifications).map((list) => (Array.isArray(list) ? list.length : 0));
    if (lists.some((length) => length > MAX_LISTENED))
      return `notifications names more than ${MAX_LISTENED} of a kind`;
  }
  return KEPT.has(method) && isLong(params)
    ? `it holds more than ${MAX_FRAME / 1024} KiB beside what it is about`
    : undefined;
}

/** Whether params hold more beside their content than a frame may. They are looked at no further than that. */
function isLong(params: Readonly<Record<string, unknown>>): boolean {
  let left = MAX_FRAME;
  const rest: unknown[] = Object.entries(params).flatMap(([key, value]) =>
    CONTENT.has(key) ? [] : [key, value],
  );
  while (rest.length > 0 && left >= 0) {
    const value = rest.pop();
    left -= 16 + (typeof value === 'string' ? value.length : 0);
    if (typeof value !== 'object' || value === null) continue;
    const inner = Array.isArray(value) ? value : Object.entries(value).flat();
    if (16 * inner.length > left) return true;
    rest.push(...inner);
  }
  return left < 0;
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
