/** Whether a value is an `async` function (or an async generator function), which cannot be halted and gives no operation. */
export function isAsync(value: unknown): boolean {
  const tag = Object.prototype.toString.call(value);
  return tag === '[object AsyncFunction]' || tag === '[object AsyncGeneratorFunction]';
}
