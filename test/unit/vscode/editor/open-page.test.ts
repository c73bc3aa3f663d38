import { run } from 'effection';
import { expect, it } from 'vitest';
import { type Opener, openPageWith } from '#src/vscode/calls/editor/page-opener.ts';

/** An editor that opens what it is given, and forwards what it is asked to. */
function editor(more: Partial<Opener> = {}): Opener & { readonly opened: string[] } {
  const opened: string[] = [];
  return {
    opened,
    isElsewhere: false,
    forward: async (origin) => `https://tunnel.example/${encodeURIComponent(origin)}/`,
    open: async (href) => {
      opened.push(href);
      return true;
    },
    ...more,
  };
}

it('opens an address as it stands: a signed one would break if it were written anew', async () => {
  const here = editor();
  const url = 'https://example.com/pay?next=a%26b%3Dc&sig=x%2By#%20';
  expect(await run(() => openPageWith(here, url))).toBe(true);
  expect(here.opened).toEqual([url]);
});

it('says when it was not opened', async () => {
  const unwilling = editor({ open: async () => false });
  expect(await run(() => openPageWith(unwilling, 'https://example.com/'))).toBe(false);
});

it.each([
  'http://example.com/',
  'javascript:alert(1)',
  'file:///etc/passwd',
  'command:x',
  'https://a@b.example/',
])('does not open %s, whoever asks for it', async (url) => {
  const here = editor();
  expect(await run(() => openPageWith(here, url))).toBe(false);
  expect(here.opened).toEqual([]);
});

it('opens a page of this machine here, and forwards it where tools run on another one', async () => {
  const url = 'http://127.0.0.1:4100/a?b=c%26d#e';
  const [here, remote] = [editor(), editor({ isElsewhere: true })];
  await run(() => openPageWith(here, url));
  await run(() => openPageWith(remote, url));
  await run(() => openPageWith(remote, 'https://example.com/'));
  expect(here.opened).toEqual([url]);
  expect(remote.opened).toEqual([
    'https://tunnel.example/http%3A%2F%2F127.0.0.1%3A4100/a?b=c%26d#e',
    'https://example.com/',
  ]);
});
