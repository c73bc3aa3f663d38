import { namesSecret } from '../../core/messages/secrets/secret-names.ts';
import type { StackMaps } from '../../workspace/load/stack-maps.ts';
import { chainOf } from './chain.ts';

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

/**
 * An error with its causes, for the log: the frames of the author's files. All frames, where there are none of those:
 * then the fault is Parley's.
 */
export function formatError(thrown: unknown, stackMaps: Pick<StackMaps, 'frames'>): string {
  const chain = chainOf(thrown, stackMaps);
  const authors = chain.some(({ frames }) => frames.some(({ place }) => place));
  const lines = chain.flatMap(({ error, frames }, depth) => {
    const shown = authors ? frames.filter(({ place }) => place) : frames;
    const folded = frames.length - shown.length;
    return [
      `${depth === 0 ? '' : 'caused by: '}${headOf(error)}`,
      ...shown.map(({ text }) => `    ${text}`),
      ...(folded > 0 ? [`    (${folded} internal frames)`] : []),
    ];
  });
  return cut(lines.join('\n'));
}

function headOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error);
  const { name, message, code } = error as Record<'name' | 'message' | 'code', unknown>;
  const title = `${String(name ?? 'Error')}: ${String(message ?? '')}`;
  return typeof code === 'string' && code !== '' ? `${title} (${code})` : title;
}

function cut(text: string): string {
  return text.length > maxLength ? `${text.slice(0, maxLength)}… (${text.length} characters)` : text;
}
