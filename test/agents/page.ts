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
  ['inside', /inside/],
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

What real agents do with a tool that asks, over stdio, offline, with a scripted model. \`npm run agents\` plays it and writes this page.
Agents without forms ask on Parley's page in the browser.

${table.join('\n')}

✓: the tool and the model got what the person did; a number counts cases. _Refused_: the model was told why not. **✗**: neither. –:
not played. _Late_: after 75 seconds. _Killed_: the agent, while it asks. _Nobody_: nobody can answer (refusing is right). _Hostile_: an untrusted repository, of
which nothing may run (Qwen Code starts what \`.mcp.json\` names unless \`security.folderTrust.enabled\` is on; Copilot CLI does once you trust the folder). _Setup_: by \`parley-mcp setup\`. _Inside_: handlers in servers of SDK v1 and v2. Cline may begin its first turn before a server is ready: it is then asked again. VS Code, Cursor and Windsurf: not tried.
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
