import { describe, expect, test } from 'vitest';
import { packedReadme } from '#build/release/packed-readme.ts';

const picture = () => new Uint8Array([1, 2, 3]);
const text =
  'A [guide](docs/a.md#b), a [site](https://example.com), [here](#here).\n\n![A form](docs/images/a.gif)\n';

describe('the packed README', () => {
  test('with a public repository leads there', () => {
    expect(packedReadme(text, 'https://example.com/o/p', picture)).toBe(
      'A [guide](https://example.com/o/p/blob/HEAD/docs/a.md#b), a [site](https://example.com), [here](#here).\n\n![A form](https://example.com/o/p/raw/HEAD/docs/images/a.gif)\n',
    );
  });

  test('without one holds its pictures and no link that leads nowhere', () => {
    expect(packedReadme(text, undefined, picture)).toBe(
      'A guide, a [site](https://example.com), [here](#here).\n\n![A form](data:image/gif;base64,AQID)\n',
    );
  });

  test('without one says nothing of building what nobody has', () => {
    const both = 'a\n<!-- source -->\nnpm start\n<!-- /source -->\nb\n';
    expect(packedReadme(both, undefined, picture)).toBe('a\nb\n');
    expect(packedReadme(both, 'https://example.com/o/p', picture)).toContain('npm start');
  });

  test('links that hold a picture are understood', () => {
    expect(packedReadme('[`a`](b.md) [a [b] c](d.md)', undefined, picture)).toBe('`a` a [b] c');
  });

  test('refuses a picture that the page cannot show', () => {
    expect(() => packedReadme('![x](a.svg)', undefined, picture)).toThrow('The README shows a.svg');
  });
});
