import { expect, it } from 'vitest';
import { filePath } from '#src/core/editor/file-path.ts';

it.each([
  ['file:///srv/me/a%20b.ts', '/srv/me/a b.ts'],
  ['file:///c%3A/Users/me/%C3%A9.ts', 'c:\\Users\\me\\é.ts'],
  ['file:///C:/Users/me', 'c:\\Users\\me'],
  ['file://server/share/me', '\\\\server\\share\\me'],
  ['file:///home/100%.ts', '/home/100%.ts'],
  ['file:///', '/'],
])('the file at %s has the path %s', (address, path) => {
  expect(filePath(address)).toBe(path);
});
