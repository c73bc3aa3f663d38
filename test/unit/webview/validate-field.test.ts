import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonSchema, JsonValue } from '#src/core/messages/json.ts';
import { toLocal } from '#webview/form/field/dates.ts';
import { INCOMPLETE, type Raw } from '#webview/form/field/field.ts';
import { type Field, fieldsOf, rawOf, validateField } from '#webview/form/kinds.ts';
import { validateForm } from '#webview/form/validate-form.ts';

function field(property: JsonSchema, required = false): Field {
  const [made] = fieldsOf({ type: 'object', properties: { it: property }, required: required ? ['it'] : [] });
  if (!made) throw new Error('no field');
  return made;
}

const value = (property: JsonSchema, raw: Raw, required = false): JsonValue | undefined => {
  const checked = validateField(field(property, required), raw);
  if (!checked.ok) throw new Error(checked.error);
  return checked.value;
};
const error = (property: JsonSchema, raw: Raw, required = false): string => {
  const checked = validateField(field(property, required), raw);
  return checked.ok ? `no error: ${JSON.stringify(checked.value)}` : checked.error;
};

describe('a number', () => {
  it.each([
    ['１２', 12],
    ['－３．５', -3.5],
    ['\u22123', -3],
  ])('is read as keyboards and texts write it: %s', (raw, number) => {
    expect(value({ type: 'number' }, raw)).toBe(number);
  });
  it.each(['10²', '①', '１，５', '1\u22123'])('is none: %s', (raw) => {
    expect(error({ type: 'number' }, raw)).toMatch(/such as 1.5/);
  });
});

describe('a time that the clocks leave out', () => {
  const zone = process.env.TZ;
  beforeAll(() => {
    process.env.TZ = 'Europe/Amsterdam';
  });
  afterAll(() => {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  });
  const at: JsonSchema = { type: 'string', format: 'date-time' };

  it('is said, and is no other time', () => {
    expect(error(at, '2026-03-29T02:30')).toMatch(/does not exist/);
    expect(value(at, '2026-03-29T01:59')).toBe('2026-03-29T00:59:00Z');
    expect(value(at, '2026-03-29T03:00')).toBe('2026-03-29T01:00:00Z');
    expect(value(at, '2026-10-25T02:30:15')).toMatch(/^2026-10-25T0[01]:30:15Z$/);
  });
});

describe('an optional field that nobody touched', () => {
  it.each<JsonSchema>([
    { type: 'string' },
    { type: 'string', minLength: 3 },
    { type: 'string', format: 'email' },
    { type: 'integer', minimum: 1 },
    { type: 'boolean' },
    { type: 'string', enum: ['a'] },
    { type: 'array', minItems: 1, items: { type: 'string', enum: ['a'] } },
    { type: 'object' },
  ])('is left out: %o', (property) => {
    expect(value(property, undefined)).toBeUndefined();
  });
});

describe('a required field that is left empty', () => {
  it.each<[JsonSchema, RegExp]>([
    [{ type: 'string' }, /is required/i],
    [{ type: 'number' }, /enter a number/i],
    [{ type: 'integer' }, /whole number/i],
    [{ type: 'string', enum: ['a'] }, /choose one/i],
    [{ type: 'array', minItems: 1, items: { type: 'string', enum: ['a'] } }, /at least one/i],
    [{ type: 'object' }, /is required/i],
  ])('is asked for: %o', (property, problem) => {
    expect(error(property, undefined, true)).toMatch(problem);
    expect(error(property, property.type === 'array' ? [] : '', true)).toMatch(problem);
  });

  it('says no, when it is a tick', () => expect(value({ type: 'boolean' }, undefined, true)).toBe(false));
  it('says null, when it may', () => expect(value({ type: ['string', 'null'] }, '', true)).toBeNull());
  it('says none, when none are enough', () => {
    expect(value({ type: 'array', items: { type: 'string', enum: ['a'] } }, undefined, true)).toEqual([]);
  });
});

describe('a default that was cleared by hand', () => {
  it('is answered as empty text, so that it does not come back', () => {
    expect(value({ type: 'string', default: 'x' }, '')).toBe('');
  });
  it('is left out where empty text would be wrong', () => {
    expect(value({ type: 'string', default: 'a@b.cd', format: 'email' }, '')).toBeUndefined();
    expect(value({ type: 'string', default: 'abc', minLength: 2 }, '')).toBeUndefined();
  });
  it('is an empty list for choices, unless some are needed', () => {
    const items = { type: 'string', enum: ['a'] };
    expect(value({ type: 'array', items, default: ['a'] }, [])).toEqual([]);
    expect(value({ type: 'array', items, default: ['a'], minItems: 1 }, [])).toBeUndefined();
  });
});

describe('text', () => {
  it('has its length limits', () => {
    expect(value({ type: 'string', minLength: 2, maxLength: 3 }, 'abc')).toBe('abc');
    expect(error({ type: 'string', minLength: 2 }, 'a')).toMatch(/at least 2.*now 1/);
    expect(error({ type: 'string', maxLength: 3 }, 'abcd')).toMatch(/at most 3.*now 4/);
  });
  it.each(['ada@example.com', 'a.b+c@sub.example.co'])('takes the email %s', (text) => {
    expect(value({ type: 'string', format: 'email' }, text)).toBe(text);
  });
  it.each(['ada', 'ada@', '@example.com', 'ada@example', 'a b@example.com'])(
    'refuses the email %s',
    (text) => {
      expect(error({ type: 'string', format: 'email' }, text)).toMatch(/email/);
    },
  );
  it('takes whole addresses only', () => {
    expect(value({ type: 'string', format: 'uri' }, 'mailto:ada@example.com')).toBe('mailto:ada@example.com');
    expect(error({ type: 'string', format: 'uri' }, 'example.com')).toMatch(/whole address/);
  });
  it('heeds a pattern, and lets one pass that it cannot read', () => {
    expect(error({ type: 'string', pattern: '^[A-Z]{3}$' }, 'ams')).toMatch(/form/);
    expect(value({ type: 'string', pattern: '(' }, 'ams')).toBe('ams');
  });
});

describe('days and moments', () => {
  it.each(['2026-02-30', '2026-13-01', '26-01-01', INCOMPLETE])('%s is no day', (text) => {
    expect(error({ type: 'string', format: 'date' }, text)).toMatch(/complete date/);
  });
  it('a day stays as it is', () => {
    expect(value({ type: 'string', format: 'date' }, '2028-02-29')).toBe('2028-02-29');
  });
  it('a local moment becomes an instant in UTC', () => {
    const answer = value({ type: 'string', format: 'date-time' }, '2026-07-28T09:30');
    expect(answer).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:00Z$/);
    expect(new Date(String(answer)).getTime()).toBe(new Date(2026, 6, 28, 9, 30).getTime());
  });
  it('an untouched default goes back as it came, fractions and offset', () => {
    const preset = '2026-07-28T09:30:15.123+02:00';
    const property = { type: 'string', format: 'date-time', default: preset };
    expect(value(property, toLocal(preset))).toBe(preset);
  });
  it('half a moment is refused', () => {
    expect(error({ type: 'string', format: 'date-time' }, INCOMPLETE)).toMatch(/complete date and time/);
  });
});

describe('numbers', () => {
  it.each([
    ['7', 7],
    [' 7 ', 7],
    ['-1.5', -1.5],
    ['.5', 0.5],
    ['1e3', 1000],
    ['-0', 0],
  ])('“%s” is %d', (raw, number) => expect(value({ type: 'number' }, raw)).toBe(number));
  it.each(['1,5', '0x10', '1e999', 'NaN', '--1', '1 000', '12a'])('“%s” is none', (raw) => {
    expect(error({ type: 'number' }, raw)).toMatch(/Enter a number/);
  });
  it('has its limits', () => {
    expect(error({ type: 'integer' }, '1.5')).toMatch(/whole/);
    expect(error({ type: 'number', minimum: 2 }, '1')).toBe('Enter 2 or more.');
    expect(error({ type: 'number', maximum: 2 }, '3')).toBe('Enter 2 or less.');
    expect(error({ type: 'number', exclusiveMinimum: 0 }, '0')).toBe('Enter more than 0.');
    expect(error({ type: 'number', exclusiveMaximum: 1 }, '1')).toBe('Enter less than 1.');
    expect(error({ type: 'number', multipleOf: 0.1 }, '0.25')).toMatch(/multiple of 0.1/);
    expect(value({ type: 'number', multipleOf: 0.1 }, '0.3')).toBe(0.3);
  });
});

describe('choices', () => {
  const items = { type: 'string', enum: ['a', 'b', 'c'] };
  it('answer in the order of the form, whatever the order of the clicks', () => {
    expect(value({ type: 'array', items }, ['c', 'a'])).toEqual(['a', 'c']);
  });
  it('have their limits', () => {
    expect(error({ type: 'array', items, minItems: 2 }, ['a'])).toMatch(/at least 2/);
    expect(error({ type: 'array', items, maxItems: 1 }, ['a', 'b'])).toMatch(/only one/);
  });
  it('that are not offered do not count', () => {
    expect(value({ type: 'array', items }, ['a', 'zzz'])).toEqual(['a']);
    expect(error(items, 'zzz', true)).toMatch(/choose one/i);
  });
  it('answer with their own type', () => expect(value({ enum: [1, 2] }, '2')).toBe(2));
});

describe('a list, a group and a record', () => {
  const tags = { type: 'array', items: { type: 'string', minLength: 2 }, minItems: 1, maxItems: 2 };
  const trip = {
    type: 'object',
    required: ['from'],
    properties: { from: { type: 'string' }, seats: { type: 'integer', default: 1 } },
  };
  const sizes = { type: 'object', additionalProperties: { type: 'integer' } };

  it('answer what is filled in, empty rows left out', () => {
    expect(value(tags, ['ab', '', 'cd'])).toEqual(['ab', 'cd']);
    expect(value(trip, { from: 'AMS', seats: '2' })).toEqual({ from: 'AMS', seats: 2 });
    expect(
      value(sizes, [
        { key: 'a', value: '1' },
        { key: '', value: '' },
      ]),
    ).toEqual({ a: 1 });
    expect(value(sizes, [{ key: '__proto__', value: '1' }])).toEqual(JSON.parse('{"__proto__":1}'));
  });

  it('are left out when nobody touched them, and answer nothing but their defaults when they are required', () => {
    for (const schema of [tags, trip, sizes]) expect(value(schema, undefined)).toBeUndefined();
    expect(value(trip, { from: '', seats: '' })).toBeUndefined();
    expect(value({ ...tags, minItems: 0 }, undefined, true)).toEqual([]);
    expect(value(sizes, undefined, true)).toEqual({});
    expect(error(trip, undefined, true)).toBe('From is required.');
  });

  it('say what is wrong where it is', () => {
    const of = (schema: JsonSchema, raw: Raw) => {
      const [it] = [field(schema)];
      const checked = validateForm([it], { it: raw });
      return checked.ok ? [] : [...checked.errors].map(([path, text]) => [path.split('\u001f'), text]);
    };
    expect(of(tags, ['ab', 'c'])).toEqual([[['it', '1'], 'Enter at least 2 characters (now 1).']]);
    expect(of(tags, [])).toEqual([]);
    expect(of(tags, ['ab', 'cd', 'ef'])).toEqual([[['it'], 'Choose at most 2 (now 3).']]);
    expect(of(trip, { from: 'AMS', seats: 'x' })).toEqual([
      [['it', 'seats'], 'Enter a whole number, such as 3.'],
    ]);
    expect(
      of(sizes, [
        { key: 'a', value: '1' },
        { key: 'a', value: '2' },
        { key: '', value: '3' },
      ]),
    ).toEqual([
      [['it', '1'], '“a” already exists.'],
      [['it', '2'], 'Enter a name.'],
    ]);
  });
});

describe('JSON text', () => {
  const schema = {
    // Required, it may be null, which a group of fields cannot say.
    type: ['object', 'null'],
    properties: { size: { type: 'integer' }, tags: { type: 'array', items: { enum: ['a'] } } },
    required: ['size'],
    additionalProperties: false,
  };
  it('answers its value', () => expect(value(schema, '{ "size": 1 }', true)).toEqual({ size: 1 }));
  it.each<[string, RegExp]>([
    ['{', /not JSON/],
    ['[]', /expected an object/],
    ['{}', /“size” is missing/],
    ['{"size":1.5}', /^size: expected a whole number/],
    ['{"size":1,"tags":["b"]}', /^tags\[0\]: expected one of "a"/],
    ['{"size":1,"more":1}', /“more” is not expected/],
  ])('%s is refused', (raw, problem) => expect(error(schema, raw, true)).toMatch(problem));
});

describe('a whole form', () => {
  const fields = fieldsOf({
    type: 'object',
    properties: { a: { type: 'string' }, b: { type: 'integer' }, c: { type: 'boolean' } },
    required: ['a', 'b'],
  });
  it('answers what was filled in', () => {
    expect(validateForm(fields, { a: 'x', b: '2' })).toEqual({ ok: true, content: { a: 'x', b: 2 } });
  });
  it('names all that is wrong, in order', () => {
    const checked = validateForm(fields, { b: 'x' });
    expect(checked.ok ? [] : [...checked.errors.keys()]).toEqual(['a', 'b']);
  });
  it('may have a field with an unlucky name', () => {
    const properties = JSON.parse('{"__proto__":{"type":"string"},"constructor":{"type":"string"}}');
    const odd = fieldsOf({ type: 'object', properties, required: ['__proto__'] });
    const raw = JSON.parse('{"__proto__":"x"}');
    const checked = validateForm(odd, raw);
    expect(checked.ok && Object.entries(checked.content)).toEqual([['__proto__', 'x']]);
  });
});

it('a value survives its control', () => {
  expect(rawOf(field({ type: 'number' }), 1.5)).toBe('1.5');
  expect(rawOf(field({ type: 'string', enum: ['a'] }), 'zzz')).toBeUndefined();
  expect(rawOf(field({ type: 'boolean' }), 'yes')).toBeUndefined();
});
