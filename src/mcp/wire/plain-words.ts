/** What Markdown marks in a line, and the same in words. Each looks no further than the next mark of its kind: a megabyte takes no longer. */
const MARKS: readonly (readonly [RegExp, string])[] = [
  [/^ {0,3}#{1,6} +/, ''],
  // Pictures and links, with where they lead.
  [/!?\[([^[\]]*)\]\( *<?([^()<>\s]+)>?(?: +"[^"]*")? *\)/g, '$1 ($2)'],
  [/<((?:https?|mailto):[^<>\s]+)>/g, '$1'],
  [/\*\*(?=\S)([^*]*[^*\s])\*\*/g, '$1'],
  [/(?<![\w*])\*(?=\S)([^*]*[^*\s])\*(?![\w*])/g, '$1'],
  [/(?<!\w)__(?=\S)([^_]*[^_\s])__(?!\w)/g, '$1'],
  [/(?<!\w)_(?=\S)([^_]*[^_\s])_(?!\w)/g, '$1'],
  [/~~(?=\S)([^~]*[^~\s])~~/g, '$1'],
];

/** Code in a line, which has no marks, and what a backslash keeps from being one. */
const KEPT = /(?<!`)(`+)(?!`)([^`]+)\1(?!`)|\\([!-/:-@[-`{-~])/g;

/** Stands for what is kept: a character for private use, of which a text has none. */
const HOLE = '\ue000';

/**
 * Markdown as a person reads it where nothing draws it: emphasis, headings, links and the borders of code in words, all else as it is. Lists,
 * quotes and tables read well as they are written.
 */
export function plainWords(markdown: string): string {
  let fence: string | undefined;
  return markdown
    .replaceAll(HOLE, '')
    .split('\n')
    .flatMap((line) => {
      const border = /^ {0,3}(```+|~~~+)[^`]*$/.exec(line)?.[1];
      if (border !== undefined && (fence === undefined || border.startsWith(fence))) {
        fence = fence === undefined ? border : undefined;
        return [];
      }
      return [fence === undefined ? plainLine(line) : line];
    })
    .join('\n');
}

function plainLine(line: string): string {
  const kept: string[] = [];
  const marked = line.replace(KEPT, (_, ticks: string | undefined, code: string, sign: string) => {
    kept.push(ticks === undefined ? sign : `'${code.trim()}'`);
    return HOLE;
  });
  const plain = MARKS.reduce((words, [mark, said]) => words.replace(mark, said), marked);
  let next = 0;
  return plain.replaceAll(HOLE, () => kept[next++] ?? '');
}
