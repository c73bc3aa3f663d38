// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { appHtml } from '#src/panel/app-html.ts';

const parts = { boot: 'first();', script: 'go();', style: 'p{}', ticket: 'abc', language: 'en' };

it('is one document with everything in it, which names nothing to load', () => {
  const html = appHtml({ ...parts, views: { script: 'views();', style: 'b{}' } });
  expect(html).not.toMatch(/\b(?:src|href)=/);
  expect(html).toContain('data-ticket="abc"');
  expect(html.indexOf('first();')).toBeLessThan(html.indexOf('<style'));
  expect(html.indexOf('go();')).toBeLessThan(html.indexOf('views();'));
});

it('holds all but the first script as text, for that one to let count', () => {
  const html = appHtml({ ...parts, views: { script: 'views();', style: '' } });
  const held = new DOMParser().parseFromString(html, 'text/html').querySelectorAll('script, style');
  expect(Array.from(held, (part) => [part.getAttribute('type'), part.textContent])).toEqual([
    [null, 'first();'],
    ['text/plain', 'p{}'],
    ['text/plain', 'go();'],
    ['text/plain', 'views();'],
  ]);
});

it('lets nothing that a tool says end a script, a style or an attribute', () => {
  const html = appHtml({
    ticket: '"><script>bad()</script>',
    language: '"><script>bad()</script>',
    texts: { Stop: '"><script>bad()</script>' },
    boot: 'const z = "</script><script>bad()</script>";',
    script: 'const a = "</script><script>bad()</script>"; const b = "<!--";',
    style: 'p::after { content: "</style><script>bad()</script>" }',
    views: { script: 'const c = "</SCRIPT >";', style: '</STYLE>' },
  });
  const page = new DOMParser().parseFromString(html, 'text/html');
  expect(page.querySelectorAll('script')).toHaveLength(3);
  expect(page.querySelectorAll('style')).toHaveLength(1);
  expect(page.querySelector('#root')?.getAttribute('data-ticket')).toBe('"><script>bad()</script>');
});
