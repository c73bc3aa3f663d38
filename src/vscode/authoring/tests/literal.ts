/** A value as JavaScript writes it. A key `__proto__` stays a key. */
export function literal(value: unknown, indent = ''): string {
  if (value === undefined) return 'undefined';
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = `${indent}  `;
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const parts = Array.isArray(value)
    ? value.map((one) => literal(one, inner))
    : Object.entries(value).map(([key, one]) => `${literalKey(key)}: ${literal(one, inner)}`);
  if (parts.length === 0) return `${open}${close}`;
  const [before, after] = Array.isArray(value) ? ['', ''] : [' ', ' '];
  const short = `${open}${before}${parts.join(', ')}${after}${close}`;
  if (short.length + indent.length <= 80 && !short.includes('\n')) return short;
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${indent}${close}`;
}

/** A text in single quotes, on one line. */
export function quoted(text: string): string {
  const inside = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${inside.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}'`;
}

/** A key of an object. */
export function literalKey(key: string): string {
  if (key === '__proto__') return "['__proto__']";
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : quoted(key);
}
