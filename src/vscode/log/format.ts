import { namesSecret } from '../../core/messages/secrets.ts';

const maxLength = 20_000;

/** Data as one JSON line for the log: values of keys that name a secret are masked, very long lines are cut. */
export function formatData(data: unknown): string {
  let line: string | undefined;
  try {
    line = JSON.stringify(data, (key, value: unknown) =>
      namesSecret(key) && value !== null && value !== undefined ? '•••' : value,
    );
  } catch (error) {
    line = `(not JSON: ${(error as Error).message})`;
  }
  return cut(line ?? '');
}

/** An error with its stack and its causes, for the log. */
export function formatError(thrown: unknown): string {
  const lines: string[] = [];
  let error = thrown;
  for (let depth = 0; error !== undefined && error !== null && depth < 8; depth++) {
    lines.push(`${depth === 0 ? '' : 'caused by: '}${describe(error)}`);
    error = typeof error === 'object' && 'cause' in error ? error.cause : undefined;
  }
  return cut(lines.join('\n'));
}

function describe(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error);
  const { name, message, stack, code } = error as Record<'name' | 'message' | 'stack' | 'code', unknown>;
  const title = `${String(name ?? 'Error')}: ${String(message ?? '')}`;
  const head = typeof code === 'string' && code !== '' ? `${title} (${code})` : title;
  if (typeof stack !== 'string') return head;
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line));
  return [head, ...frames].join('\n');
}

function cut(text: string): string {
  return text.length > maxLength ? `${text.slice(0, maxLength)}… (${text.length} characters)` : text;
}
