/** Is it a number? */
export function isNumber(value: unknown): value is number {
  return typeof value === 'number';
}

/** Is it yes or no? */
export function isBoolean(value: unknown): value is boolean {
  return typeof value === 'boolean';
}
