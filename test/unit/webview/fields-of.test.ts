import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '#src/core/messages/json.ts';
import { readableName } from '#src/core/messages/readable-name.ts';
import type { SomeField } from '#webview/form/field/field.ts';
import type { GroupField } from '#webview/form/kinds/group.tsx';
import { type Field, fieldsOf } from '#webview/form/kinds.ts';

const one = (property: JsonSchema, root: JsonSchema = {}): Field | undefined =>
  fieldsOf({ type: 'object', properties: { it: property }, ...root })[0];

describe('every kind of the restricted schema has its field', () => {
  it.each<[string, JsonSchema, Partial<Field>]>([
    ['text', { type: 'string', minLength: 1, maxLength: 9 }, { kind: 'string', minLength: 1, maxLength: 9 }],
    ['an email', { type: 'string', format: 'email' }, { kind: 'string', format: 'email' }],
    ['an address', { type: 'string', format: 'uri' }, { kind: 'string', format: 'uri' }],
    ['a day', { type: 'string', format: 'date' }, { kind: 'string', format: 'date' }],
    ['a moment', { type: 'string', format: 'date-time' }, { kind: 'string', format: 'date-time' }],
    ['a number', { type: 'number', minimum: 0.5 }, { kind: 'number', minimum: 0.5 }],
    [
      'a whole number',
      { type: 'integer', maximum: 9, default: 3 },
      { kind: 'integer', maximum: 9, default: 3 },
    ],
    ['yes or no', { type: 'boolean', default: true }, { kind: 'boolean', default: true }],
  ])('%s', (_what, property, field) => {
    expect(one(property)).toMatchObject({ name: 'it', title: 'It', required: false, ...field });
  });

  it('one of some plain choices', () => {
    expect(one({ type: 'string', enum: ['a', 'b'] })).toMatchObject({
      kind: 'single',
      choices: [
        { id: 'a', title: 'a', value: 'a' },
        { id: 'b', title: 'b', value: 'b' },
      ],
    });
  });

  it('one of some choices with legacy names', () => {
    expect(one({ type: 'string', enum: ['a', 'b'], enumNames: ['Ay'] })).toMatchObject({
      choices: [
        { id: 'a', title: 'Ay' },
        { id: 'b', title: 'b' },
      ],
    });
  });

  it('one of some titled choices', () => {
    expect(one({ type: 'string', oneOf: [{ const: 'a', title: 'Ay' }] })).toMatchObject({
      kind: 'single',
      choices: [{ id: 'a', title: 'Ay', value: 'a' }],
    });
  });

  it('any number of choices, plain or titled', () => {
    const choices = [{ id: 'a', title: 'a', value: 'a' }];
    expect(
      one({ type: 'array', minItems: 1, maxItems: 2, items: { type: 'string', enum: ['a'] } }),
    ).toMatchObject({
      kind: 'multi',
      minItems: 1,
      maxItems: 2,
      choices,
    });
    expect(one({ type: 'array', items: { anyOf: [{ const: 'a', title: 'Ay' }] } })).toMatchObject({
      kind: 'multi',
      choices: [{ id: 'a', title: 'Ay' }],
    });
  });

  it('title, description and required come along', () => {
    expect(one({ type: 'string', title: 'T', description: 'D' }, { required: ['it'] })).toMatchObject({
      title: 'T',
      description: 'D',
      required: true,
    });
  });
});

describe('parameters beyond the restricted schema', () => {
  it.each<[string, JsonSchema]>([
    ['an object of anything', { type: 'object' }],
    [
      'an object with members of a kind',
      { type: 'object', properties: { a: {} }, additionalProperties: { type: 'string' } },
    ],
    ['a list of anything', { type: 'array', items: {} }],
    ['a pair', { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }], items: false }],
    [
      'a record with rules for its keys',
      { type: 'object', additionalProperties: { type: 'string' }, propertyNames: { enum: ['a'] } },
    ],
    ['one type or another', { anyOf: [{ type: 'boolean' }, { type: 'number' }] }],
    ['one of three types', { type: ['string', 'number', 'boolean'] }],
    [
      'choices or text',
      {
        anyOf: [
          { enum: ['a'], type: 'string' },
          { type: 'object', properties: { a: {} } },
        ],
      },
    ],
    ['anything', {}],
    ['yes, no or null', { type: ['boolean', 'null'] }],
  ])('%s is JSON text', (_what, property) => {
    expect(one(property)).toMatchObject({ kind: 'json', schema: property });
  });

  it('lists are rows, objects groups and records pairs', () => {
    expect(one({ type: 'array', items: { type: 'string' }, maxItems: 3 })).toMatchObject({
      kind: 'list',
      item: { kind: 'string', required: true, multiline: false },
      maxItems: 3,
    });
    const person = {
      type: 'object',
      required: ['name'],
      properties: { name: { type: 'string' }, age: { type: 'integer' } },
    };
    expect(one(person)).toMatchObject({
      kind: 'group',
      fields: [
        { kind: 'string', name: 'name', required: true },
        { kind: 'integer', name: 'age', required: false },
      ],
    });
    expect(one({ type: 'array', items: person })).toMatchObject({ kind: 'list', item: { kind: 'group' } });
    for (const additionalProperties of [true, {}, false])
      expect(one({ ...person, additionalProperties })).toMatchObject({ kind: 'group' });
    expect(
      one({ type: 'object', propertyNames: { type: 'string' }, additionalProperties: { type: 'number' } }),
    ).toMatchObject({ kind: 'record', value: { kind: 'number' } });
  });

  it('what refers to itself is a form down to a depth, and JSON below it', () => {
    const node = { type: 'object', properties: { next: { $ref: '#/$defs/node' } } };
    const kinds: string[] = [];
    let field: SomeField | undefined = one({ $ref: '#/$defs/node' }, { $defs: { node } });
    while (field) {
      kinds.push(field.kind);
      field = 'fields' in field ? (field as GroupField).fields[0] : undefined;
    }
    expect(kinds).toEqual(['group', 'group', 'group', 'json']);
  });

  it('a bare “or null” stays a simple field', () => {
    expect(one({ anyOf: [{ type: 'string', minLength: 2 }, { type: 'null' }], title: 'T' })).toMatchObject({
      kind: 'string',
      minLength: 2,
      title: 'T',
      nullable: true,
    });
    expect(one({ type: ['integer', 'null'] })).toMatchObject({ kind: 'integer', nullable: true });
  });

  // As servers write what they would also take as text.
  it.each<[string, JsonSchema, Partial<Field>]>([
    ['a tick', { type: ['boolean', 'string'] }, { kind: 'boolean' }],
    ['text for a number', { type: ['string', 'number'] }, { kind: 'string' }],
    [
      'the text of two options',
      { anyOf: [{ type: 'integer' }, { type: 'string', minLength: 2 }] },
      { kind: 'string', minLength: 2 },
    ],
    [
      'a group',
      { anyOf: [{ type: 'object', properties: { url: { type: 'string' } } }, { type: 'string' }] },
      { kind: 'group' },
    ],
    ['rows', { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] }, { kind: 'list' }],
    ['what a reference leads to', { oneOf: [{ $ref: '#/$defs/at' }, { type: 'string' }] }, { kind: 'group' }],
    [
      'with null, too',
      { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'null' }] },
      { kind: 'string', nullable: true },
    ],
    ['three types with null', { type: ['null', 'string', 'integer'] }, { kind: 'string', nullable: true }],
  ])('a thing or its text is what a person fills in: %s', (_what, property, field) => {
    const $defs = { at: { type: 'object', properties: { line: { type: 'integer' } } } };
    expect(one(property, { $defs })).toMatchObject(field);
  });

  it('rows and groups that may be null are so where they can be left out', () => {
    const rows = { anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'null' }] };
    expect(one(rows)).toMatchObject({ kind: 'list', nullable: true });
    expect(one(rows, { required: ['it'] })).toMatchObject({ kind: 'json' });
  });

  it('choices need not be text', () => {
    expect(one({ enum: [1, true, null] })).toMatchObject({
      choices: [
        { id: '1', value: 1 },
        { id: 'true', value: true },
        { id: 'null', value: null },
      ],
    });
    expect(one({ const: 'only' })).toMatchObject({ kind: 'single', choices: [{ id: 'only' }] });
  });

  it('references are followed, and a circle of them ends', () => {
    const $defs = { size: { type: 'string', enum: ['s'] }, loop: { $ref: '#/$defs/loop' } };
    expect(one({ $ref: '#/$defs/size', title: 'Size' }, { $defs })).toMatchObject({
      kind: 'single',
      title: 'Size',
    });
    expect(one({ $ref: '#/$defs/loop' }, { $defs })).toMatchObject({ kind: 'json' });
    expect(one({ $ref: '#/$defs/missing' }, { $defs })).toMatchObject({ kind: 'json' });
  });

  it('a schema without properties has no fields', () => {
    expect(fieldsOf({})).toEqual([]);
    expect(fieldsOf({ type: 'object', properties: 7 })).toEqual([]);
  });
});

it.each([
  ['departureDate', 'Departure date'],
  ['departure_date', 'Departure date'],
  ['maxPrice-EUR', 'Max price EUR'],
  ['URLPath', 'URL path'],
  ['_', '_'],
  ['x', 'X'],
])('readableName(%s) is “%s”', (name, words) => {
  expect(readableName(name)).toBe(words);
});
