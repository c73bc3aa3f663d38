import type { Journal } from '../runtime/journal/lines.ts';

/** When the next durable sleep of a call is over; `null` for none. */
export function nextDue({ lines }: Journal): number | null {
  const due = new Map<string, number>();
  for (const line of lines) {
    if (line.t === 'timer') due.set(line.id, line.due);
    else if (line.t === 'elapsed' || line.t === 'withdraw') due.delete(line.id);
  }
  return due.size === 0 ? null : Math.min(...due.values());
}
