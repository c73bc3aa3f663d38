import type { JsonObject, JsonValue } from '../../src/core/messages/json.ts';
import { humanize } from '../parts/humanize.ts';
import { isScalar } from '../value/value-shape.ts';

/** Parameters on one line: `from AMS, destination LIS`. */
export function summaryOf(params: JsonObject): string {
  return Object.entries(params)
    .map(([name, value]) => `${humanize(name).toLowerCase()} ${brief(value)}`)
    .join(', ');
}

function brief(value: JsonValue | undefined): string {
  const text = isScalar(value) ? String(value) : JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
