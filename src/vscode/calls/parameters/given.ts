import type { JsonObject, JsonValue } from '../../../core/messages/json.ts';
import { summaryOf } from '../../../core/messages/params-summary.ts';
import { secretsIn } from '../../../core/messages/secrets/mask-secrets.ts';
import { noticeText } from '../notices/notice-text.ts';

/** As many as one reads in a row, and as much of one as is looked at: what follows could not be seen anyhow. */
const MOST = 8;
const LONGEST = 2000;
const DEEPEST = 4;

/**
 * What a call was given, in a line: `from: AMS, to: LIS`. Secrets are masked, as in all that is shown or kept without having been asked
 * for. Empty where there is nothing to say.
 */
export function givenText(params: unknown): string {
  if (typeof params !== 'object' || params === null) return '';
  const shown = Object.entries(params as JsonObject).filter(
    ([, value]) => value !== undefined && value !== '',
  );
  const brief: JsonObject = Object.fromEntries(
    shown.slice(0, MOST).map(([name, value]) => [name, beginning(value ?? null, DEEPEST)]),
  );
  const parts = summaryOf(secretsIn([brief])(brief)).map(({ name, value }) => `${name}: ${value}`);
  return noticeText(parts.join(', '));
}

/** A value without what is too long for a row. */
function beginning(value: JsonValue, depth: number): JsonValue {
  if (typeof value === 'string') return value.slice(0, LONGEST);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === 0) return '…';
  if (Array.isArray(value)) return value.slice(0, MOST).map((one) => beginning(one, depth - 1));
  const entries = Object.entries(value).slice(0, MOST);
  return Object.fromEntries(entries.map(([name, one]) => [name, beginning(one ?? null, depth - 1)]));
}
