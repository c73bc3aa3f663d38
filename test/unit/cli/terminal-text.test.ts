import * as fc from 'fast-check';
import { afterEach, expect, it, vi } from 'vitest';
import { say, terminalBlock, terminalLine } from '#src/cli/terminal-text.ts';

afterEach(() => vi.restoreAllMocks());

it('shows control characters in place of sending them to the terminal', () => {
  expect(terminalLine('\u001b]0;title\u0007\u001b[2J')).toBe('\\x1b]0;title\\x07\\x1b[2J');
  expect(terminalLine('a\r\nparley: all is well')).toBe('a\\x0d\\nparley: all is well');
  expect(terminalLine('héllo 😀')).toBe('héllo 😀');
});

it('gives one line for any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(terminalLine(text)).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
    }),
  );
});

it('sets the lines of an error apart from its own, so that none can pass for one', () => {
  expect(terminalBlock('Error: x\nparley: fine')).toBe('    Error: x\n    parley: fine');
  const written: string[] = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => written.push(String(text)) > 0);
  say('cleanup\nfailed', new Error('\u001b[2J\nparley: fine'));
  const lines = written.join('').trimEnd().split('\n');
  expect(lines[0]).toBe('parley-mcp: cleanup\\nfailed');
  expect(lines.length).toBeGreaterThan(1);
  expect(lines.slice(1).every((line) => line.startsWith('    '))).toBe(true);
  expect(written.join('')).not.toContain('\u001b');
});

it('survives what cannot be shown', () => {
  const written: string[] = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => written.push(String(text)) > 0);
  const hostile = new Proxy(new Error('x'), {
    get() {
      throw new Error('hostile');
    },
  });
  say('a tool failed', hostile);
  expect(written.join('')).toContain('a tool failed');
});
