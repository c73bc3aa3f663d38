import { describe, expect, it } from 'vitest';
import { type EntryPlace, entryText, withEntry } from '#src/cli/setup/entry-text.ts';

const JSON_PLACE: EntryPlace = { format: 'json', servers: ['mcpServers'], name: 'parley' };
const TOML_PLACE: EntryPlace = { format: 'toml', servers: ['mcp_servers'], name: 'parley' };
const ENTRY = { command: 'node', args: ['/opt/parley-mcp/dist/cli.js'] };
const isOurs = (text: string) => text.includes('parley-mcp');
const add = (text: string, place: EntryPlace, entry: object | undefined = ENTRY) =>
  withEntry(text, place, entry as typeof ENTRY | undefined, isOurs);
const remove = (text: string, place: EntryPlace) => withEntry(text, place, undefined, isOurs);

const json = `{
  // mine
  "theme": "dark",
  "mcpServers": {
    "other": { "command": "x", "args": [] }, // stays
  },
}
`;

const toml = `# mine
model = "x"
notify = ["a", # one
  'b']
text = """
[mcp_servers.parley]
"""
[mcp_servers."other one"]
command = 'x'
env = { A = "1", B.c = 2026-01-01 07:32:00 }

# about the next
[[lists]]
at = +inf
`;

describe('an entry of JSON', () => {
  it('is added beside comments and other servers, and removed from them', () => {
    const added = add(json, JSON_PLACE);
    expect(added).toContain('// mine');
    expect(added).toContain('"other": {');
    expect(added).toContain('/opt/parley-mcp/dist/cli.js');
    expect(add(added, JSON_PLACE)).toBe(added);
    const removed = remove(added, JSON_PLACE);
    expect(removed).not.toContain('parley');
    expect(removed).toContain('// stays');
  });

  it.each(['', ' \n', '{}', '\ufeff{\r\n\t"a": 1\r\n}\r\n'])('is added to %j', (text) => {
    const added = add(text, JSON_PLACE);
    expect(JSON.parse(added.replace('\ufeff', ''))).toMatchObject({ mcpServers: { parley: ENTRY } });
    expect(added.startsWith('\ufeff')).toBe(text.startsWith('\ufeff'));
  });

  it('of ours is replaced by a newer one', () => {
    const added = add(add('{}', JSON_PLACE), JSON_PLACE, { command: 'npx', args: ['parley-mcp'] });
    expect(JSON.parse(added)).toEqual({ mcpServers: { parley: { command: 'npx', args: ['parley-mcp'] } } });
  });

  it.each([
    ['broken JSON', '{ "mcpServers": { ', /not JSON that can be read .* at line 1/],
    ['no object', '[]', /not an object/],
    ['servers that are a list', '{ "mcpServers": [] }', /'mcpServers' is not an object/],
    ['servers written twice', '{ "mcpServers": {}, "mcpServers": { "a": {} } }', /would change more/],
    [
      'another server of that name',
      '{ "mcpServers": { "parley": { "command": "y" } } }',
      /another server named/,
    ],
  ])('is refused by %s', (_, text, why) => {
    expect(() => add(text, JSON_PLACE)).toThrow(why);
  });

  it('of others is not removed, and none is no change', () => {
    expect(() => remove('{ "mcpServers": { "parley": { "command": "y" } } }', JSON_PLACE)).toThrow(/another/);
    expect(remove(json, JSON_PLACE)).toBe(json);
  });
});

describe('an entry of TOML', () => {
  it('is added at the end, and removed with all else as it was', () => {
    const added = add(toml, TOML_PLACE);
    expect(added).toBe(`${toml}\n${entryText(TOML_PLACE, ENTRY)}`);
    expect(add(added, TOML_PLACE)).toBe(added);
    expect(remove(added, TOML_PLACE)).toBe(toml);
    expect(remove(`${added}\n# next\n[z]\n`, TOML_PLACE)).toBe(`${toml}\n# next\n[z]\n`);
    expect(remove(add('', TOML_PLACE), TOML_PLACE)).toBe('');
  });

  it('is found by its name in quotes, with the tables within it', () => {
    const within =
      '[mcp_servers."parley"]\r\ncommand = "parley-mcp"\r\n[mcp_servers.parley.env]\r\nA = "1"\r\n';
    expect(remove(`a = 1\r\n${within}[b]\r\n`, TOML_PLACE)).toBe('a = 1\r\n[b]\r\n');
  });

  it.each([
    ['a string without an end', 'a = "b\n', /not TOML that can be read, at line 1/],
    ['a word that is no value', 'a = 1\nb = yes\n', /at line 2/],
    ['a header without an end', '[a\n', /at line 1/],
    ['a list without an end', 'a = [1,\n', /not TOML/],
    ['two values on a line', 'a = 1 b = 2\n', /not TOML/],
    ['lists in lists without end', `a = ${'['.repeat(100_000)}`, /not TOML/],
    ['servers in one line', 'mcp_servers = { a = { command = "x" } }\n', /in one line/],
    ['a server in one line', '[mcp_servers]\nparley = { command = "x" }\n', /in one line/],
    ['another server of that name', '[mcp_servers.parley]\ncommand = "x"\n', /another server named/],
  ])('is refused by %s', (_, text, why) => {
    expect(() => add(text, TOML_PLACE)).toThrow(why);
  });

  it('is added to a megabyte of all that TOML has', () => {
    const large = `${'x'.repeat(3)} = """${'a "quoted" word\\n\n'.repeat(60_000)}"""\n`;
    expect(remove(add(large, TOML_PLACE), TOML_PLACE)).toBe(large);
  });
});
