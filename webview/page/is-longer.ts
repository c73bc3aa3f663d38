import type { JsonValue } from '../../src/core/messages/json.ts';

/** Whether the texts in a value are longer than that together: without copying them. */
export function isLonger(value: JsonValue, most: number): boolean {
  let left = most;
  const count = (one: JsonValue | undefined): void => {
    if (typeof one === 'string') left -= one.length;
    else if (typeof one === 'object' && one !== null) for (const part of Object.values(one)) count(part);
  };
  count(value);
  return left < 0;
}
