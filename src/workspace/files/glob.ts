/** Several of these in a row say what one says, and an expression would try every way to share a path among them. */
const TOKEN = /(?:\*\*\/)+|\*{2,}|\*|\?|\{|\}|,|[^*?{},]+/g;

/**
 * The regular expression of a glob, for paths with `/`: `*` and `?` stay within a folder, `**` does not, `{a,b}` is a
 * choice. Node's own globs are experimental in the Node of the oldest editor.
 */
export function globToRegExp(glob: string): RegExp {
  let depth = 0;
  const source = glob.replace(/^\.\//, '').replaceAll(TOKEN, (token) => {
    if (token.startsWith('**/')) return '(?:.*/)?';
    if (token.startsWith('**')) return '.*';
    if (token === '*') return '[^/]*';
    if (token === '?') return '[^/]';
    if (token === '{') {
      depth++;
      return '(?:';
    }
    if (token === '}' && depth > 0) {
      depth--;
      return ')';
    }
    if (token === ',' && depth > 0) return '|';
    return token.replaceAll(/[\\^$.|?*+()[\]{}]/g, '\\$&');
  });
  return new RegExp(`^${source}${')'.repeat(depth)}$`);
}
