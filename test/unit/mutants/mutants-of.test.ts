import { describe, expect, test } from 'vitest';
import { mutantsOf, pick } from '#test/mutants/mutants-of.ts';

const made = (text: string) =>
  mutantsOf('a.ts', text).map(({ start, end, to }) => text.slice(0, start) + to + text.slice(end));

describe('the mistakes in a text', () => {
  test('are another operator, the other branch, another value, and a statement that is not there', () => {
    expect(made('if (a < 1) go();')).toEqual([
      'if (!(a < 1)) go();',
      'if (a <= 1) go();',
      'if (a < 2) go();',
      'if (a < 1) ;',
    ]);
    expect(made('const a = b && !c ? true : d ?? 0;')).toContain('const a = b || !c ? true : d ?? 0;');
  });

  test('are none in types, which do not run', () => {
    expect(made('type A = 1 | true;\nlet a: 2;\ninterface B { c: 3 }')).toEqual([]);
    expect(made('const a = b as 1 | 2;')).toEqual([]);
  });

  test('have their line', () => {
    expect(mutantsOf('a.ts', 'x;\n\nconst a = 1;').map(({ line }) => line)).toEqual([1, 3]);
  });
});

describe('those that are picked', () => {
  const all = ['a.ts', 'b.ts', 'c.ts'].flatMap((file) => mutantsOf(file, 'const a = [1, 2, 3];'));

  test('are the same for the same seed, and others for another', () => {
    expect(pick(all, 3, 1)).toEqual(pick(all, 3, 1));
    expect(pick(all, 3, 1)).not.toEqual(pick(all, 3, 2));
  });

  test('are one a file', () => {
    const files = pick(all, 10, 1).map(({ file }) => file);
    expect(files.toSorted()).toEqual(['a.ts', 'b.ts', 'c.ts']);
  });
});
