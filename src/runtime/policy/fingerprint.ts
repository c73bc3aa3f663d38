import type { AnyTool, ToolAnnotations } from '../../core/tool/tool.ts';
import { digest } from '../../core/world/digest.ts';

/** Characters of what a tool said of itself that are kept, to show later what has changed. */
const KEPT = 8_000;

/** What a tool says of itself, as lines: title, description, what it claims, and what it takes. */
export function saidOf({ def }: AnyTool, annotations: ToolAnnotations): string {
  const { title, description, parameters, output } = def;
  const told = { title, description, annotations, parameters: parameters.json, output: output?.json };
  return JSON.stringify(told, undefined, 2);
}

/** Stays the same for as long as a tool says the same of itself. */
export function fingerprintOf(said: string): string {
  return digest(said);
}

/** As much of it as is kept. */
export function keptPart(said: string): string {
  return said.slice(0, KEPT);
}

/** Lines that are gone and lines that are new, as a diff marks them; at most `most` of them. */
export function changedLines(before: string, now: string, most = 40): string {
  const old = before.split('\n');
  const lines = keptPart(now).split('\n');
  const gone = old.filter((line) => !lines.includes(line)).map((line) => `- ${line.trim()}`);
  const come = lines.filter((line) => !old.includes(line)).map((line) => `+ ${line.trim()}`);
  const all = [...gone, ...come];
  if (all.length === 0) return '(the change is in the part of the description that is not stored)';
  return [
    ...all.slice(0, most),
    ...(all.length > most ? [`… and ${all.length - most} more lines`] : []),
  ].join('\n');
}
