const COMMENT = /\/\*[\s\S]*?\*\/|\/\/[^\n]*/y;
const STRING = /'(?:\\[\s\S]|[^'\\\n])*'|"(?:\\[\s\S]|[^"\\\n])*"/y;
const TEMPLATE_TEXT = /(?:\\[\s\S]|\$(?!\{)|[^`\\$])*/y;
const REGEX = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/y;
/** What stands before an expression: a slash there begins a regular expression. */
const BEFORE_EXPRESSION = /(?:^|[(,=:[!&|?{};+*~^<>%-]|\b(?:return|yield|typeof|case|in|of))\s*$/;

/**
 * Code with its comments and the insides of its strings, templates and regular expressions blank; what a template fills in is code. All
 * else is where it was. Of a text with a slash in it, such as the name of a server's tool, a slash is left.
 */
export function withoutText(code: string): string {
  let kept = '';
  let at = 0;
  /** For each template that is open, how many braces are open in what it fills in. */
  const filling: number[] = [];
  const found = (what: RegExp): string | undefined => {
    what.lastIndex = at;
    const text = what.exec(code)?.[0];
    at += text?.length ?? 0;
    return text;
  };
  /** From behind its beginning, or what it filled in last: to its end, or what it fills in next. */
  const template = (end: string): void => {
    kept += blank(found(TEMPLATE_TEXT) ?? '');
    if (code[at] === '$') {
      filling.push(0);
      kept += `${end}+`;
      at += 2;
    } else if (at < code.length) {
      kept += end;
      at += 1;
    }
  };
  const quoted = (text: string): string => `'${blank(text.slice(1, -1))}'`;
  while (at < code.length) {
    const char = code[at] ?? '';
    const comment = char === '/' ? found(COMMENT) : undefined;
    const regex =
      char === '/' && comment === undefined && BEFORE_EXPRESSION.test(kept.slice(-20)) && found(REGEX);
    const string = char === "'" || char === '"' ? found(STRING) : undefined;
    if (comment !== undefined) kept += blank(comment, '');
    else if (regex) kept += quoted(regex);
    else if (string !== undefined) kept += quoted(string);
    else {
      at += 1;
      const open = filling.at(-1);
      if (char === '`') {
        kept += "'";
        template("'");
      } else if (char === '}' && open === 0) {
        filling.pop();
        kept += '+';
        // Whatever it is, it is a value.
        template('0');
      } else {
        if (open !== undefined && char === '{') filling[filling.length - 1] = open + 1;
        if (open !== undefined && char === '}') filling[filling.length - 1] = open - 1;
        kept += char === "'" || char === '"' ? ' ' : char;
      }
    }
  }
  return kept;
}

function blank(text: string, slash = '/'): string {
  const empty = text.replace(/[^\n]/g, ' ');
  return text.includes('/') ? `${slash || ' '}${empty.slice(1)}` : empty;
}
