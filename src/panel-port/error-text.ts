import type { TracePart } from './trace.ts';

/** An error as text to copy: with what caused it and where it came from, as far as that is known. */
export function errorText({
  message,
  trace = [],
}: {
  readonly message: string;
  readonly trace?: readonly TracePart[] | undefined;
}): string {
  return trace.length > 0 ? trace.map(textOf).join('\n') : message;
}

function textOf({ title, own, internal }: TracePart, at: number): string {
  const frames = [...own.map(({ text }) => `at ${text}`), ...internal];
  return [`${at === 0 ? '' : 'caused by: '}${title}`, ...frames.map((frame) => `    ${frame}`)].join('\n');
}
