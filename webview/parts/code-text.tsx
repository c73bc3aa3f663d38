/** Longer code is plain: it comes from strangers, and what does not end is looked for to the end of the text. */
const MOST = 20_000;

const STRING = '"(?:[^"\\\\\\n]|\\\\.)*"|\'(?:[^\'\\\\\\n]|\\\\.)*\'|`(?:[^`\\\\]|\\\\.)*`';
const NUMBER = '\\b\\d[\\w.]*';
const WORD =
  '\\b(?:as|async|await|break|case|catch|class|const|continue|create|def|delete|do|else|enum|export|extends|false|fn|for|from|func|function|if|import|in|insert|interface|into|let|match|new|nil|None|not|null|or|and|pub|return|select|self|set|static|struct|switch|table|this|throw|true|True|False|try|type|undefined|update|use|values|var|where|while|with|yield)\\b';
const HASH = /^(ba|z)?sh$|^(console|dockerfile|make|perl|py|python|r|rb|ruby|shell|toml|ya?ml)$/i;
const DASHES = /^(sql|lua|haskell|hs|psql)$/i;

/** Code of some language in the theme's few colours for code: comments, texts, numbers and words of the language. */
export function CodeText({ language = '', children }: { language?: string | undefined; children: string }) {
  if (children.length > MOST || language === '') return children;
  const line = HASH.test(language) ? '#' : DASHES.test(language) ? '--' : '//';
  const parts = `(${line}[^\\n]*|/\\*[^]*?\\*/)|(${STRING})|(${NUMBER})|(${WORD})`;
  // What is between two matches is at every fifth place, with the four groups of a match behind it; all but one of them are empty.
  return children.split(new RegExp(parts, DASHES.test(language) ? 'gi' : 'g')).map((text, at) =>
    text && at % 5 > 0 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never move
      <span key={at} className={`code-${at % 5}`}>
        {text}
      </span>
    ) : (
      text
    ),
  );
}
