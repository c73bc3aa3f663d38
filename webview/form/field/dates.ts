/*
 * JSON Schema's `date-time` names an instant with its offset; the browser's control knows local time only.
 */

/** Is `text` a day that exists, as `YYYY-MM-DD`? */
export function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** An RFC 3339 instant as the text of a `datetime-local` control, in the person's own zone. */
export function toLocal(instant: string): string {
  const time = new Date(instant);
  if (Number.isNaN(time.getTime())) return '';
  const local = new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString();
  return local.endsWith(':00.000Z') ? local.slice(0, 16) : local.slice(0, 19);
}

/** The text of a `datetime-local` control as an RFC 3339 instant in UTC; `undefined` if it is not one. */
export function toInstant(local: string): string | undefined {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?$/.test(local)) return undefined;
  const time = new Date(local);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString().replace('.000Z', 'Z');
}

/** Is it a time that the clocks leave out, where they are put forward? An instant of it is that of another time. */
export function isLeftOut(local: string): boolean {
  const time = new Date(local);
  return time.getHours() !== Number(local.slice(11, 13)) || time.getMinutes() !== Number(local.slice(14, 16));
}

/** The person's time zone: `Europe/Amsterdam`. */
export function zoneName(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone.replaceAll('_', ' ');
}
