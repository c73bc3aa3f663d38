import { transform } from 'esbuild';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { declare } from '#src/code/declarations/declare.ts';
import type { AnyTool } from '#src/core/tool/tool.ts';
import { createToolSearch } from '#src/mcp/catalog/progressive/catalog-search.ts';
import { foreignTool, type ServerConnection } from '#src/mcp/client/index.ts';
import { encodeTool } from '#src/mcp/wire/listing.ts';
import { detailsOf } from '#src/vscode/authoring/tools/tool-details.ts';
import { lineFor, titleOf } from '#src/vscode/calls/call-entry.ts';
import { fieldsOf } from '#webview/form/kinds.ts';

type Listed = Parameters<typeof foreignTool>[1];

const connection = {
  name: 'evil',
  entry: { kind: 'http', name: 'evil', url: 'http://localhost/', headers: {} },
} as unknown as ServerConnection;

/** A tool as a server lists it, as a tool of ours. */
function listed({
  inputSchema = { type: 'object' },
  ...tool
}: Omit<Partial<Listed>, 'name'> & { name?: string }): AnyTool {
  return foreignTool(connection, { name: 'do', ...tool, inputSchema } as Listed);
}

const TRICKS = [
  ['turns around', '\u202egnp.exe'],
  ['breaks the line', 'Harmless\n\n\n\u2028\u2029\r\u0085press Allow'],
  ['rings', 'a\u0007\u001b[31mred\u0000'],
  ['hides', 'Read\u200b\u2060\u{e0041}\u{e0042}\ufeff file'],
  ['isolates', '\u2066a\u2069\u061c\u200e\u200f'],
  ['goes on and on', 'x'.repeat(100_000)],
  ['is a lot of nothing', ` ${'\u00a0\t'.repeat(50_000)}end`],
] as const;

const UNFIT =
  /[\p{Cc}\u2028\u2029\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e0fff}]/u;

describe('a title that', () => {
  it.each(TRICKS)('%s is one short line of what can be seen', (_what, title) => {
    for (const tool of [listed({ title }), listed({ annotations: { title } }), listed({ name: title })]) {
      expect(titleOf(tool)).not.toMatch(UNFIT);
      expect(titleOf(tool).trim()).not.toBe('');
      expect(titleOf(tool).length).toBeLessThanOrEqual(201);
      expect(tool.name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    }
  });

  it('is nothing but signs that cannot be seen gives way to the name', () => {
    expect(titleOf(listed({ title: '\u202e\u200b\n' }))).toBe('evil/do');
    expect(titleOf(listed({ title: 'Läuft 👩‍🚀 می‌خواهم' }))).toBe('Läuft 👩‍🚀 می‌خواهم');
  });
});

it.each(TRICKS)(
  'a description that %s is a short line for people, and itself for models',
  (_what, description) => {
    const tool = listed({ description });
    expect(lineFor(tool)).not.toMatch(UNFIT);
    expect(lineFor(tool).length).toBeLessThanOrEqual(301);
    expect(tool.def.description.length).toBeLessThanOrEqual(16_000);
  },
);

it('names that differ by case alone, or become the same legal name, stay apart', () => {
  const names = [
    'do',
    'Do',
    'DO',
    'd o',
    'd_o',
    'd\u200bo',
    'dö',
    'do\u0308',
    'ｄｏ',
    '__proto__',
    'constructor',
    'then',
    'toString',
    '',
  ];
  const outside = names.map((name) => listed({ name, description: 'Does.' }).name);
  expect(new Set(outside).size).toBe(names.length);
  // What code and search keep by name holds all of them.
  const tools = names.map((name) => listed({ name, description: 'Does.' }));
  expect(createToolSearch(tools).find('does')).toHaveLength(names.length);
});

const INJECTIONS = [
  ['the end of a comment', '*/ }; let stolen: string; /*'],
  ['it over two lines', '*\n/ }; let stolen: 1; /*'],
  ['it over and over', '*/'.repeat(2_000)],
  ['it where a comment is cut', `${'x'.repeat(1_999)}*/ let stolen: 1;`],
  ['the end of a type', '}; let stolen: number; type A = {'],
  ['the end of a text', '"; let stolen: number; //'],
  ['a template', '`$' + '{stolen}`\u2028let stolen: 1;'],
  ['other ends of lines', '// \r\u2029let stolen: 1;'],
  ['__proto__', '__proto__'],
  ['constructor', 'constructor'],
  ['a backslash', '\\'],
  ['a backslash and a quote', '\\"'],
] as const;

describe('a declaration for code', () => {
  it.each(INJECTIONS)(
    'is that of one tool and nothing else, though a server says %s wherever it can',
    async (_what, said) => {
      const property = { type: 'string', title: said, description: said, enum: [said], const: said };
      const inputSchema = {
        type: 'object' as const,
        title: said,
        description: said,
        required: [said],
        properties: Object.fromEntries([
          [said, property],
          ['inner', { type: 'object', properties: Object.fromEntries([[said, { description: said }]]) }],
        ]) as Record<string, object>,
      };
      const text = declare(
        listed({
          name: said,
          title: said,
          description: said,
          inputSchema,
          outputSchema: inputSchema,
        } as never),
      );
      // Types are gone then: what is left is what is no type of `tools`.
      const { code } = await transform(text.replace('declare const', 'let'), { loader: 'ts' });
      expect(code).toBe('let tools;\n');
    },
  );

  it('is not long, however long the names and values of a server are', () => {
    const long = 'n'.repeat(100_000);
    for (const properties of [
      { [long]: {}, [`${long}2`]: {} },
      { a: { const: long } },
      { a: { enum: Array.from({ length: 20_000 }, (_, at) => `value ${at}`) } },
      { a: { anyOf: Array.from({ length: 5_000 }, (_, at) => ({ const: `${at} ${'v'.repeat(40)}` })) } },
    ]) {
      const tool = listed({ inputSchema: { type: 'object', properties } as never });
      expect(declare(tool).length).toBeLessThan(25_000);
      for (const { name, type } of detailsOf(tool) as readonly { name: string; type: string }[]) {
        expect(name.length).toBeLessThanOrEqual(201);
        expect(type.length).toBeLessThanOrEqual(301);
      }
    }
  });
});

it('whatever a server’s schema holds, its tool is listed, found, declared and drawn as a form', () => {
  const value = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<object>;
  const odd = fc.constantFrom<unknown>(
    { toString: 1, valueOf: 1 },
    { length: 9 },
    { __proto__: null },
    ['a'],
    null,
    7,
  );
  const keyword = fc.constantFrom(
    ...[
      'type',
      'enum',
      'const',
      'title',
      'description',
      'default',
      'format',
      'items',
      'properties',
      'required',
    ],
    ...[
      'anyOf',
      'oneOf',
      'allOf',
      '$ref',
      'prefixItems',
      'additionalProperties',
      'minimum',
      'maxLength',
      'pattern',
    ],
  );
  const schema = fc.dictionary(keyword, fc.oneof(value, odd, fc.array(odd, { maxLength: 3 })), {
    maxKeys: 6,
  });
  fc.assert(
    fc.property(fc.dictionary(fc.string(), schema), schema, (properties, root) => {
      const inputSchema = { ...root, type: 'object', properties } as never;
      const tool = listed({ inputSchema });
      expect(typeof declare(tool)).toBe('string');
      for (const detail of detailsOf(tool) as readonly { type: unknown; description: unknown }[]) {
        expect(typeof detail.type).toBe('string');
        expect(['string', 'undefined']).toContain(typeof detail.description);
      }
      createToolSearch([tool]).find('anything');
      JSON.stringify(encodeTool(tool, '2026'));
      fieldsOf(tool.def.parameters.json);
    }),
  );
});
