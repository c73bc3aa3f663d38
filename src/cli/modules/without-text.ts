const COMMENT = /\/\*[\s\S]*?\*\/|\/\/[^\n]*/y;
const STRING = /'(?:\\[\s\S]|[^'\\\n])*'|"(?:\\[\s\S]|[^"\\\n])*"/y;
const TEMPLATE_TEXT = /(?:\\[\s\S]|\$(?!\{)|[^`\\$])*/y;
const REGEX = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/y;
/** What stands before an expression: a slash there begins a regular expression. */
const BEFORE_EXPRESSION = /(?:^|[(,=:[!&|?{};+*~^<>%-]|\b(?:return|yield|typeof|case|in|of))\s*$/;

/**
 * Code without its comments and the insides of its strings, templates and regular expressions; what a template fills in is code. Of a
 * text with a slash in it, such as the name of a server's tool, the slash is left.
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
  const template = (): void => {
    kept += standIn(found(TEMPLATE_TEXT) ?? '');
    // At its end, or at what it fills in.
    if (code[at] === '$') {
      filling.push(0);
      kept += '+';
      at += 2;
    } else at += 1;
  };
  while (at < code.length) {
    const char = code[at] ?? '';
    if (char === '/' && found(COMMENT) !== undefined) kept += ' ';
    else if (char === '/' && BEFORE_EXPRESSION.test(kept.slice(-20)) && found(REGEX) !== undefined)
      kept += "''";
    else if (char === "'" || char === '"') kept += standIn(found(STRING) ?? code[at++] ?? '');
    else {
      at += 1;
      const open = filling.at(-1);
      if (char === '`') template();
      else if (char === '}' && open === 0) {
        filling.pop();
        kept += '+';
        template();
      } else {
        if (open !== undefined && char === '{') filling[filling.length - 1] = open + 1;
        if (open !== undefined && char === '}') filling[filling.length - 1] = open - 1;
        kept += char;
      }
    }
  }
  return kept;
}

function standIn(text: string): string {
  return text.includes('/') ? "'/'" : "''";
}
