import { writeFileSync } from 'node:fs';
import type { Outcome } from './cells.ts';

/** What the newest runs of the agents came to. */
export type Found = Record<
  string,
  {
    readonly name: string;
    readonly version: string;
    /** Digest of the program that the agent started. */
    readonly parley: string;
    /** Why it was not played. */
    readonly absent?: string;
    readonly cells: Readonly<Record<string, Outcome>>;
  }
>;

const signs = { right: '✓', 'in words': 'refused', wrong: '**✗**' } as const;

/** The columns, and which cells are told in them. */
const columns: readonly (readonly [title: string, cells: RegExp])[] = [
  ['calls', /^calls/],
  ['answers', /^answers: /],
  ['declines', /^declines/],
  ['cancels', /^cancels/],
  ['late', /late/],
  ['killed', /killed/],
  ['nobody', /nobody/],
  ['hostile', /hostile/],
  ['setup', /set up/],
];

/** Writes the page of the documentation that says what works in which agent. */
export function writePage(found: Found, file: string): void {
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const all = Object.values(found);
  const absent = all.filter(({ absent }) => absent !== undefined);
  const table = [
    row(['', ...columns.map(([title]) => title)]),
    row(['---', ...columns.map(() => '---')]),
    ...all.map(({ name, version, cells }) =>
      row([`${name} ${version}`, ...columns.map(([, wanted]) => told(cells, wanted))]),
    ),
  ];
  writeFileSync(
    file,
    `# Where it runs

What real agents do with a tool that asks, over stdio: their own programs, offline, with a scripted model. \`npm run agents\` plays it and writes
this page. Agents without forms ask on Parley's page in the browser.

${table.join('\n')}

✓: what the person did is what the tool and the model got; a number counts kinds of fields. _Refused_: the model was told why not. **✗**: neither. –:
not played. _Late_ is after 75 seconds, _killed_ is the agent while it asks (its server ends), _nobody_ a question with nobody to answer (refusing is right), _hostile_ work in a repository, not trusted, with tools, tasks, packages and an \`.mcp.json\` of which nothing may run (Qwen Code starts what
\`.mcp.json\` names unless \`security.folderTrust.enabled\` is on; Copilot CLI does once you trust the folder), _setup_ a call through what \`parley-mcp setup\`
wrote. Cline may begin its first turn before a server is ready: it is then asked again. VS Code, Cursor and Windsurf: written as they document it, not tried.
${absent.map(({ name, version, absent }) => `\n${name} ${version} was not played: ${absent}.\n`).join('')}`,
  );
}

function told(cells: Readonly<Record<string, Outcome>>, wanted: RegExp): string {
  const named = Object.entries(cells).filter(([name]) => wanted.test(name));
  const [only] = named;
  if (only === undefined) return '–';
  if (named.length === 1) return signs[only[1].is];
  const others = named.filter(([, { is }]) => is !== 'right');
  return [
    `✓ ${named.length - others.length}`,
    ...others.map(([name, { is }]) => `${signs[is]} ${name.replace(wanted, '')}`),
  ].join(', ');
}
