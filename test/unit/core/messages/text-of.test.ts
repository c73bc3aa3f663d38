import { textOf } from 'parley-mcp';
import { expect, it } from 'vitest';

const text = { type: 'text', text: 'a' };
const image = { type: 'image', data: '', mimeType: 'image/png' };

it.each([
  ['a message', { role: 'user', content: text }, 'a'],
  ["another server's result", { content: [text, image, text], structuredContent: {} }, 'aa'],
  ['blocks', [text, image], 'a'],
  ['a text', 'a', 'a'],
  ['data', { a: 1 }, ''],
  ['nothing', undefined, ''],
])('textOf gives the text of %s', (_, value, said) => expect(textOf(value)).toBe(said));
