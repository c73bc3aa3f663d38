/** A text of the manifest: its key in `package.nls.json`, and its English. */
export interface ManifestText {
  readonly nls: string;
  readonly en: string;
}

/** Declares a text where it is used. */
export function text(nls: string, en: string): ManifestText {
  return { nls, en };
}

/** A JSON tree with texts in it. */
export type WithTexts =
  | string
  | number
  | boolean
  | null
  | ManifestText
  | readonly WithTexts[]
  | { readonly [key: string]: WithTexts | undefined };

/** A JSON tree. */
export type Plain = string | number | boolean | null | readonly Plain[] | { readonly [key: string]: Plain };

/** Puts `%key%` in the place of each text and collects their English. @throws when one key has two texts. */
export function extractTexts(tree: WithTexts, into: Map<string, string>): Plain {
  if (isText(tree)) {
    const known = into.get(tree.nls);
    if (known !== undefined && known !== tree.en) throw new Error(`two texts for the key ${tree.nls}`);
    into.set(tree.nls, tree.en);
    return `%${tree.nls}%`;
  }
  if (Array.isArray(tree)) return tree.map((item: WithTexts) => extractTexts(item, into));
  if (typeof tree !== 'object' || tree === null) return tree as Plain;
  return Object.fromEntries(
    Object.entries(tree).flatMap(([key, value]) =>
      value === undefined ? [] : [[key, extractTexts(value, into)] as const],
    ),
  );
}

function isText(tree: WithTexts): tree is ManifestText {
  return typeof tree === 'object' && tree !== null && 'nls' in tree && 'en' in tree;
}
