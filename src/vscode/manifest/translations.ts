import { readdirSync, readFileSync } from 'node:fs';

/** Texts by key: in `l10n/bundle.l10n.json` the English itself, in `package.nls.json` a name. */
export type Texts = Readonly<Record<string, string>>;

/** A file of translations, and the English one that it follows. */
export interface Translation {
  readonly file: string;
  readonly texts: Texts;
  readonly english: Texts;
}

const FILES = [
  { folder: '', english: 'package.nls.json', translated: /^package\.nls\.([\w-]+)\.json$/ },
  { folder: 'l10n/', english: 'bundle.l10n.json', translated: /^bundle\.l10n\.([\w-]+)\.json$/ },
] as const;

/** Every translation there is: the next language is two files more. */
export function translationsIn(root: URL): readonly Translation[] {
  return FILES.flatMap(({ folder, english, translated }) =>
    readdirSync(new URL(`./${folder}`, root))
      .filter((name) => translated.test(name))
      .map((name) => ({
        file: `${folder}${name}`,
        texts: readTexts(root, `${folder}${name}`),
        english: readTexts(root, `${folder}${english}`),
      })),
  );
}

/** What has no translation yet, by file: `l10n/untranslated.json`. There, people read English. */
export function untranslated(
  translations: readonly Translation[],
): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(
    translations.flatMap(({ file, texts, english }) => {
      const missing = Object.keys(english).filter((key) => !texts[key]);
      return missing.length === 0 ? [] : [[file, missing] as const];
    }),
  );
}

/** The translations of what is still said in English, in its order. */
export function stillCurrent({ texts, english }: Translation): Texts {
  return Object.fromEntries(
    Object.keys(english).flatMap((key) => (texts[key] ? [[key, texts[key]] as const] : [])),
  );
}

/** Placeholders, icons, links and code that got lost in a translation, or came in with it; a sentence each. */
export function lostIn({ file, texts, english }: Translation): readonly string[] {
  return Object.entries(texts).flatMap(([key, text]) => {
    const source = english[key];
    if (source === undefined) return [`${file}: '${key}' is said nowhere any more`];
    const [before, after] = [kept(source), kept(text)];
    return before.join(' ') === after.join(' ')
      ? []
      : [
          `${file}: '${key}' has ${after.join(' ') || 'nothing'} in the place of ${before.join(' ') || 'nothing'}`,
        ];
  });
}

/** What a translation has to keep to the letter. */
function kept(text: string): readonly string[] {
  return [...text.matchAll(/\{\d+\}|\$\([\w-]+\)|\]\(command:[^)]*\)|`[^`]*`/g)]
    .map(([found]) => found)
    .sort();
}

function readTexts(root: URL, path: string): Texts {
  return JSON.parse(readFileSync(new URL(path, root), 'utf8')) as Texts;
}
