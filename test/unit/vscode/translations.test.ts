import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { lostIn, translationsIn, untranslated } from '#src/vscode/manifest/translations.ts';

const root = new URL('../../../', import.meta.url);
const translations = translationsIn(root);

describe('the translations', () => {
  it('are there in German and Japanese, for the editor and for the page', () => {
    expect(translations.map(({ file }) => file).sort()).toEqual([
      'l10n/bundle.l10n.de.json',
      'l10n/bundle.l10n.ja.json',
      'package.nls.de.json',
      'package.nls.ja.json',
    ]);
  });

  it('miss no string but those listed: run `npm run manifest` when this fails', () => {
    const listed = JSON.parse(readFileSync(new URL('l10n/untranslated.json', root), 'utf8')) as unknown;
    expect(untranslated(translations)).toEqual(listed);
  });

  it('keep placeholders, icons, links and code, and say nothing that English does not', () => {
    expect(translations.flatMap(lostIn)).toEqual([]);
  });
});

describe('a translation', () => {
  const english = { 'Ask {0} [now](command:a.b)': 'Ask {0} [now](command:a.b)', No: 'No' };

  it('may move its placeholders', () => {
    const texts = { 'Ask {0} [now](command:a.b)': '[Jetzt](command:a.b) {0} fragen', No: 'Nein' };
    expect(lostIn({ file: 'x', texts, english })).toEqual([]);
    expect(untranslated([{ file: 'x', texts, english }])).toEqual({});
  });

  it('may not lose them, nor invent strings, nor leave one empty', () => {
    const texts = { 'Ask {0} [now](command:a.b)': 'Fragen {1}', No: '', Old: 'Alt' };
    expect(lostIn({ file: 'x', texts, english })).toEqual([
      "x: 'Ask {0} [now](command:a.b)' has {1} in the place of ](command:a.b) {0}",
      "x: 'Old' is said nowhere any more",
    ]);
    expect(untranslated([{ file: 'x', texts, english }])).toEqual({ x: ['No'] });
  });
});
