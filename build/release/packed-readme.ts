import { extname } from 'node:path';

/** A file that the README shows, by its path. */
export type ReadPicture = (path: string) => Uint8Array;

const TYPES: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.gif': 'image/gif',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
};

const LINK = /(!?)\[((?:[^\][]|\[[^\][]*\])*)\]\((?!https?:|#|data:|mailto:)([^)\s]+)\)/g;

/** What is of use only beside the source: how to build it. */
const SOURCE = /^<!-- source -->\n[\s\S]*?^<!-- \/source -->\n/gm;

/**
 * The README, or another text, as the extension's page shows it. The page knows nothing of the files beside it, so that with a public repository relative
 * links lead there. Without one pictures are put into the text, links to files become text, and what is between `<!-- source -->` and
 * `<!-- /source -->` is left out: nobody has the source that it speaks of.
 */
export function packedReadme(markdown: string, repository: string | undefined, read: ReadPicture): string {
  const shown = repository === undefined ? markdown.replace(SOURCE, '') : markdown;
  return shown.replace(LINK, (_, bang: string, label: string, target: string) => {
    const path = target.replace(/^\.\//, '');
    if (repository !== undefined)
      return `${bang}[${label}](${repository}/${bang === '' ? 'blob' : 'raw'}/HEAD/${path})`;
    if (bang === '') return label;
    const type = TYPES[extname(path).toLowerCase()];
    if (type === undefined)
      throw new Error(`The README shows ${path}: a picture is a PNG, GIF, JPEG or WebP.`);
    return `![${label}](data:${type};base64,${Buffer.from(read(path)).toString('base64')})`;
  });
}
