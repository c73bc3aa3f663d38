import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { briefAddress, readPageAddress } from '#src/core/page/page-address.ts';

const hrefOf = (url: unknown) => {
  const read = readPageAddress(url);
  return read.ok ? read.address.href : read.problem;
};

describe('the address of a page', () => {
  it.each([
    ['https://example.com/pay?a=b%26c#d', 'https://example.com/pay?a=b%26c#d'],
    ['http://127.0.0.1:4100/x', 'http://127.0.0.1:4100/x'],
    ['http://localhost/', 'http://localhost/'],
    ['http://app.localhost/', 'http://app.localhost/'],
    ['http://[::1]:80/', 'http://[::1]/'],
    ['HTTPS://EXAMPLE.COM', 'https://example.com/'],
  ])('%s may be opened', (url, href) => {
    expect(hrefOf(url)).toBe(href);
  });

  it.each([
    ['https://exämple.com/ü', 'https://xn--exmple-cua.com/%C3%BC'],
    // Cyrillic letters that look like Latin ones.
    ['https://аррӏе.com/', 'https://xn--80ak6aa92e.com/'],
    // Digits and dots of other alphabets are what a browser takes them for.
    ['https://example。com/', 'https://example.com/'],
    ['https://example.com/\u202Emoc.live', 'https://example.com/%E2%80%AEmoc.live'],
  ])('%s is shown in plain ASCII', (url, href) => {
    expect(hrefOf(url)).toBe(href);
  });

  it.each([
    'http://example.com/',
    'http://127.0.0.1.example.com/',
    'http://localhost.example.com/',
    'http://10.0.0.1/',
    'https://example.com@evil.example/',
    'https://user:secret@example.com/',
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'command:parley.runTool',
    'vscode://file/x',
    '//example.com',
    'example.com',
    '',
    `https://example.com/${'x'.repeat(9_000)}`,
    undefined,
    7,
  ])('%j is refused, with the reason', (url) => {
    expect(readPageAddress(url)).toEqual({ ok: false, problem: expect.stringMatching(/^[ai]/) });
  });

  it('is plain ASCII, whatever was written', () => {
    fc.assert(
      fc.property(fc.webUrl({ withFragments: true, withQueryParameters: true }), fc.string(), (url, tail) => {
        const read = readPageAddress(`${url}${tail}`);
        if (read.ok) expect(read.address.href).not.toMatch(/[^\x21-\x7e]/);
      }),
    );
  });

  it('leaves out in a record what may be a key to the page', () => {
    expect(briefAddress('https://example.com/pay?session=secret#x')).toBe('https://example.com/pay?…');
    expect(briefAddress('https://example.com/pay')).toBe('https://example.com/pay');
  });
});
