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

/**
 * The README as the extension's page shows it. The page knows nothing of the files beside it, so that with a public repository relative
 * links lead there, and without one pictures are put into the text and links to files become text.
 */
export function packedReadme(markdown: string, repository: string | undefined, read: ReadPicture): string {
  return markdown.replace(LINK, (_, bang: string, label: string, target: string) => {
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
