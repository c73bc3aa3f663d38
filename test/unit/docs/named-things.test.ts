import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readOptions } from '#src/cli/options.ts';
import { USAGE } from '#src/cli/usage.ts';
import manifest from '../../../package.json' with { type: 'json' };
import texts from '../../../package.nls.json' with { type: 'json' };

/*
 * What the pages for users name is there: commands and settings of the editor, options of the command line, JSON that can be read.
 */

const root = join(import.meta.dirname, '..', '..', '..');
const pages = ['README.md', 'SECURITY.md', 'CONTRIBUTING.md']
  .concat(readdirSync(join(root, 'docs')).map((name) => join('docs', name)))
  .filter((path) => path.endsWith('.md'))
  .map((path) => readFileSync(join(root, path), 'utf8'));
const all = pages.join('\n');

/** What a pattern finds in the pages, each once. */
const found = (pattern: RegExp, text = all): string[] => [
  ...new Set([...text.matchAll(pattern)].map(([whole, part]) => part ?? whole)),
];

describe('what the pages for users name', () => {
  const settings = Object.keys(manifest.contributes.configuration.properties);
  const commands = manifest.contributes.commands.map(({ command }) => command);

  it('as a command of the palette is there', () => {
    const titles = manifest.contributes.commands.map(({ title }) =>
      title.replace(/^%(.*)%$/, (_, key: keyof typeof texts) => texts[key]),
    );
    const named = found(/\*\*Parley:\s([^*]+)\*\*/g).map((name) => name.replaceAll('\n', ' '));
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((name) => !titles.includes(name))).toEqual([]);
  });

  it('as a setting is there, and every setting is named', () => {
    expect(
      settings.filter((setting) => !all.includes(`\`${setting}`) && !all.includes(`"${setting}`)),
    ).toEqual([]);
    const named = found(/[`"](parley\.[a-z]+(?:\.[a-zA-Z]+)*)[`"]/g);
    const ours = [...settings, ...commands, ...found(/^\| `(parley\.[a-z.]+)` +\|/gm), 'parley.overview'];
    expect(
      named.filter((name) => !ours.includes(name) && !/^parley\.(outcome|call\.state)$/.test(name)),
    ).toEqual([]);
  });

  it('as an option of the command line is there, and every option is in the help', () => {
    const source = readFileSync(join(root, 'src/cli/options.ts'), 'utf8');
    const options = found(/^ +'?([a-z][\w-]+)'?: \{ type: '/gm, source);
    expect(options).toContain('state-key-file');
    expect(() => readOptions(['serve', '--state-key-file', 'keys'])).not.toThrow();
    const inHelp = found(/--([a-z][\w-]+)/g, USAGE);
    expect(options.filter((option) => !inHelp.includes(option) && option !== 'help')).toEqual([]);
    const commandLines = found(
      /(?:^|`)(?:npx )?parley-mcp (?:serve|new|pack|doctor|check|manifest)\b(?:[^`\n]|\\\n)*/gm,
    );
    const used = found(/ --([a-z][\w-]+)/g, commandLines.join('\n'));
    expect(used.length).toBeGreaterThan(15);
    expect([...used, ...inHelp].filter((option) => !options.includes(option))).toEqual([]);
  });

  it('to run is this package, wherever it is run: `npx parley` is another one', () => {
    const sources = globSync('{examples,src,media}/**/*.{ts,md,json}', { cwd: root });
    const texts = [all, ...sources.map((path) => readFileSync(join(root, path), 'utf8'))].join('\n');
    expect(
      found(/npx (?:-\S+ )*parley(?![\w-])|^parley (?:serve|new|pack|doctor|check|manifest) .*/gm, texts),
    ).toEqual([]);
  });

  it('as JSON can be read', () => {
    const blocks = found(/^```json\n([\s\S]*?)^```/gm);
    expect(blocks.length).toBeGreaterThan(3);
    for (const block of blocks) expect(() => JSON.parse(block), block).not.toThrow();
  });
});
