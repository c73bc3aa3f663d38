import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonInText } from '#src/runtime/sampling/json-in-text.ts';

const prose = fc.string().map((text) => text.replace(/[{}[\]"`~]/g, ''));
const data = fc
  .oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.jsonValue()))
  .map((value) => JSON.parse(JSON.stringify(value)) as unknown);

describe('JSON in a text', () => {
  it('is found wherever it stands, whatever it holds', () => {
    fc.assert(
      fc.property(prose, data, prose, fc.constantFrom(undefined, 1), (before, value, after, indent) => {
        expect([...jsonInText(`${before} ${JSON.stringify(value, null, indent)} ${after}`)][0]).toEqual(
          value,
        );
      }),
      { numRuns: 500 },
    );
  });

  it('is found in a fence', () => {
    fc.assert(
      fc.property(prose, data, prose, (before, value, after) => {
        const text = `${before}\n\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\`\n${after}`;
        expect([...jsonInText(text)]).toContainEqual(value);
      }),
    );
  });

  it('is looked for in any text without an error', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('{', '}', '[', ']', '"', '\\', '```', '\n', 'a', '1', ':', ',')),
        (parts) => {
          expect(() => [...jsonInText(parts.join(''))]).not.toThrow();
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('is not looked for without end', () => {
    // Who begins once more at each bracket takes hours.
    expect([...jsonInText('{['.repeat(1_000_000))]).toEqual([]);
  });

  it.each([
    ['brackets that nothing closes, before much text', `${'['.repeat(300)}${'a'.repeat(5_000_000)}`],
    ['strings that begin anew', '{"'.repeat(2_500_000)],
    ['a long value that is none', `x${'['.repeat(300)}${'1,'.repeat(1_000_000)}x${']'.repeat(300)}`],
    ['many values that are none', `x${'{"a":"[}'.repeat(600_000)}`],
  ])('holds nobody up with %s', { timeout: 30_000 }, (_what, text) => {
    expect([...jsonInText(text)]).toEqual([]);
  });

  it('is found behind more brackets than prose has', () => {
    expect([...jsonInText(`${'[a] '.repeat(300)} {"n":1}`)]).toEqual([{ n: 1 }]);
  });

  it('is given with what is said last first', () => {
    const text = 'First {"n":1}.\n```json\n{"n":2}\n```\nNo: [3], or\n```\n4\n```';
    expect([...new Set([...jsonInText(text)].map((value) => JSON.stringify(value)))]).toEqual([
      '4',
      '[3]',
      '{"n":2}',
      '{"n":1}',
    ]);
  });

  it('is taken whole when the text is nothing else', () => {
    expect([...jsonInText(' {"a": {"b": 1}} ')]).toEqual([{ a: { b: 1 } }]);
    expect([...jsonInText('  ')]).toEqual([]);
  });
});
