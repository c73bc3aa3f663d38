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
  const parts: string[] = [];
  /** The end of it: what is joined again and again costs the square of its length. */
  let tail = '';
  let at = 0;
  const keep = (text: string): void => {
    parts.push(text);
    tail = (tail + text).slice(-20);
  };
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
    keep(blank(found(TEMPLATE_TEXT) ?? ''));
    if (code[at] === '$') {
      filling.push(0);
      keep(`${end}+`);
      at += 2;
    } else if (at < code.length) {
      keep(end);
      at += 1;
    }
  };
  const quoted = (text: string): string => `'${blank(text.slice(1, -1))}'`;
  while (at < code.length) {
    const char = code[at] ?? '';
    const comment = char === '/' ? found(COMMENT) : undefined;
    const regex = char === '/' && comment === undefined && BEFORE_EXPRESSION.test(tail) && found(REGEX);
    const string = char === "'" || char === '"' ? found(STRING) : undefined;
    if (comment !== undefined) keep(blank(comment, ''));
    else if (regex) keep(quoted(regex));
    else if (string !== undefined) keep(quoted(string));
    else {
      at += 1;
      const open = filling.at(-1);
      if (char === '`') {
        keep("'");
        template("'");
      } else if (char === '}' && open === 0) {
        filling.pop();
        keep('+');
        // Whatever it is, it is a value.
        template('0');
      } else {
        if (open !== undefined && char === '{') filling[filling.length - 1] = open + 1;
        if (open !== undefined && char === '}') filling[filling.length - 1] = open - 1;
        keep(char === "'" || char === '"' ? ' ' : char);
      }
    }
  }
  return parts.join('');
}

function blank(text: string, slash = '/'): string {
  const empty = text.replace(/[^\n]/g, ' ');
  return text.includes('/') ? `${slash || ' '}${empty.slice(1)}` : empty;
}
