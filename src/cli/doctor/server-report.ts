import { code, type Finding, tableOf } from './table.ts';

/** What was found out about a server: facts of its own, and what was tried. */
export interface ServerFacts {
  readonly eras: readonly ('2025' | '2026')[];
  /** Name and version that it gives itself, the version of the protocol, and what it says that it can. */
  readonly name: string;
  readonly protocol: string;
  readonly capabilities: unknown;
  /** What it offers, by kind, in the plural: `tools`. */
  readonly counts: Readonly<Record<string, number>>;
  /** Kinds of content that came of reading. */
  readonly content: readonly string[];
  readonly findings: readonly Finding[];
  /** What of it cannot be used, and why. */
  readonly problems: readonly string[];
}

const ERAS = { '2025': '2025-11-25 and before', '2026': '2026-07-28' } as const;

/** Problems that the report lists. */
const MOST = 20;

/** The report, as Markdown to paste into an issue. It says nothing of how the server is started or reached. */
export function serverReportOf(facts: ServerFacts): string {
  const counts = Object.entries(facts.counts).map(
    ([what, count]) => `${count} ${count === 1 ? what.slice(0, -1) : what}`,
  );
  return [
    '# What this server does',
    '',
    `- It is ${code(facts.name)} and speaks ${facts.eras.map((era) => ERAS[era]).join(', and ')}; with Parley it speaks ${code(facts.protocol)}.`,
    `- It says that it can: ${code(JSON.stringify(facts.capabilities))}`,
    `- It offers ${counts.join(', ')}.`,
    `- Content that came: ${facts.content.length === 0 ? 'none' : facts.content.map(code).join(', ')}. No tool was called.`,
    '',
    ...tableOf(facts.findings),
    ...problemsOf(facts.problems),
    '',
  ].join('\n');
}

function problemsOf(problems: readonly string[]): readonly string[] {
  if (problems.length === 0) return [];
  const more = problems.length > MOST ? [`- and ${problems.length - MOST} more`] : [];
  return ['', 'What cannot be used:', '', ...problems.slice(0, MOST).map((one) => `- ${code(one)}`), ...more];
}
