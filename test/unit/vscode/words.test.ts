import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const texts = (path: string): readonly string[] => {
  const all = JSON.parse(readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')) as object;
  return Object.values(all).map(String);
};

describe('what people read', () => {
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
