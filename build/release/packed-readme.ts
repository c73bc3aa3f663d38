/** Links and pictures of Markdown that lead to files: `!` of a picture, label, target. */
export const localLinks = /(!?)\[((?:[^\][]|\[[^\][]*\])*)\]\((?!https?:|#|data:|mailto:)([^)\s]+)\)/g;

/** A picture that stands alone, with the empty line behind it. */
const PICTURE = /^!\[[^\]]*\]\((?!https?:)[^)\s]+\)\n\n?/gm;

/** What is of use only beside the source: how to build it. */
const SOURCE = /^<!-- source -->\n[\s\S]*?^<!-- \/source -->\n/gm;

/** A heading with nothing below it. */
const NOTHING_NEW = /^## \[Unreleased\]\n+(?=## )/m;

/**
 * The README, or another text, as the pages of the extension and of the npm package show it. These know nothing of the files beside it, and
 * show pictures of web addresses only. With a public repository relative links lead there. Without one there are no pictures, a link to a
 * file says its path, and what is between `<!-- source -->` and `<!-- /source -->` is left out: nobody has the source that it speaks of.
 */
export function packedReadme(markdown: string, repository: string | undefined): string {
  const text = markdown.replace(NOTHING_NEW, '');
  const shown = repository === undefined ? text.replace(SOURCE, '').replace(PICTURE, '') : text;
  return shown.replace(localLinks, (_, bang: string, label: string, target: string) => {
    const path = target.replace(/^\.\//, '');
    if (repository !== undefined)
      return `${bang}[${label}](${repository}/${bang === '' ? 'blob' : 'raw'}/HEAD/${path})`;
    if (bang !== '') return '';
    const file = path.replace(/#.*/, '');
    return label.includes(file) ? label : `${label} (\`${file}\`)`;
  });
}
