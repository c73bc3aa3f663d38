import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { USAGE } from '#src/cli/usage.ts';

const texts = (path: string): readonly string[] => {
  const all = JSON.parse(readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')) as object;
  return Object.values(all).map(String);
};

/** VS Code's own interface has a noun, or another verb, in the place of each. */
const FOREIGN =
  /\b(somebody|anybody|nobody|whoever|go(es)? on|went on|tak(e|es|en) back|took back|throw(s|n)? away|threw away|mend(s|ed)?|stands?)\b/i;

describe('what people read', () => {
  it('is in the words of VS Code’s own interface, and fits a terminal', () => {
    const all = [...texts('l10n/bundle.l10n.json'), ...texts('package.nls.json'), USAGE];
    expect(all.filter((text) => FOREIGN.test(text))).toEqual([]);
    expect(USAGE.split('\n').filter((line) => line.length > 125)).toEqual([]);
  });

  it('calls the end of a running call Stop, and never Abort', () => {
    const english = [...texts('l10n/bundle.l10n.json'), ...texts('package.nls.json')];
    expect(english.length).toBeGreaterThan(400);
    expect(english.filter((text) => /abort/i.test(text))).toEqual([]);
  });

  it('has one word for a tool in German', () => {
    const german = [...texts('l10n/bundle.l10n.de.json'), ...texts('package.nls.de.json')];
    expect(german.filter((text) => /\bTools?\b/.test(text))).toEqual([]);
  });

  it('has another word for Cancel than for Stop in each language', () => {
    for (const language of ['de', 'ja']) {
      const all = JSON.parse(
        readFileSync(new URL(`../../../l10n/bundle.l10n.${language}.json`, import.meta.url), 'utf8'),
      ) as Readonly<Record<string, string>>;
      const cancel = all.Cancel ?? '';
      expect(cancel).not.toBe('');
      const stops = Object.entries(all).filter(([english]) => /\bstop(?:ped)?\b/i.test(english));
      expect(stops.length).toBeGreaterThan(5);
      const mixed = stops.filter(([, text]) => text.toLowerCase().includes(cancel.toLowerCase()));
      expect(mixed).toEqual([]);
    }
  });
});
