import { withoutText } from './without-text.ts';

/** A verb of a context that is called and never run. */
export interface Forgotten {
  /** What is called: `ctx.elicit`, `confirm`. */
  readonly verb: string;
  /** Where the call begins and ends, in UTF-16 units of the code. */
  readonly start: number;
  readonly end: number;
  /** What does it, in place of the call. */
  readonly right: string;
}

const VERBS =
  'elicit(?:\\.strict|\\.withRetry|\\.all)?|sample(?:Schema|Tools)?|call|branch|rollback|log|notify|roots|step|sleep';
/** The context of a tool's code, or what is taken out of it. */
const SECOND =
  /\b(?:execute\s*\(\s*(?:async\s+)?(?:function\s*\*?\s*\w*)?|\*\s*(?:before|client|after))\s*\(\s*(?:\w+|\{[^{}]*\})\s*,\s*(?:(\w+)|\{([^{}]*)\})/g;
const TAKEN_OUT = /\b(?:const|let|var)\s*\{([^{}]*)\}\s*=\s*ctx\b/g;

/** Begins a statement, whatever it does with what comes: nothing. */
const STATEMENT = /(?:^|[;{})]|\belse|\bdo|[\w$\]'"`]\s*\n)\s*$/;
const KEYWORD = /\b(?:return|throw|case|of|in|new|typeof|void|delete|default|extends|yield|await)\s*$/;
/** What an operation is not good for: a member of it, a condition, a comparison, a part of a text. */
const AS_VALUE = /^(?:\??\.(?!\d)|\[|\?(?![.?])|&&|\|\||[=!]==?|\+)/;

/**
 * The calls of verbs in TypeScript or JavaScript that do nothing, because no `yield*` stands before them, and which can mean nothing else:
 * what is handed on (to `all`, to a function) may be run there.
 */
export function forgottenIn(code: string): readonly Forgotten[] {
  const text = withoutText(code);
  const contexts = contextsIn(text).join('|');
  const own = [...text.matchAll(/\bfunction\s*\*\s*(\w+)/g)].map((one) => one[1]);
  const helpers = [...new Set(['confirm', 'choose', ...own])].join('|');
  const calls = new RegExp(
    `(?<![.\\w$])(?:(?:${contexts})\\.(?:${VERBS})|(?:${helpers})(?=\\s*\\((?:[^()]*,)?\\s*(?:${contexts})\\s*[,)])${takenOut(text)})(?=\\s*(?:<[^;(){}]{0,999}>)?\\s*\\()`,
    'g',
  );
  const found: Forgotten[] = [];
  for (const { 0: verb, index: start } of text.matchAll(calls)) {
    if (found.length === MOST) break;
    const before = text.slice(Math.max(0, start - FAR), start);
    if (/\bfunction\s*\*\s*$/.test(before) || /\byield\s*\*\s*$/.test(before)) continue;
    const end = endOfCall(text, text.indexOf('(', start));
    if (!isForgotten(before, text.slice(end, end + FAR))) continue;
    const call = code.slice(start, end);
    const inside =
      /[!(+]\s*$|&&\s*$|\|\|\s*$/.test(before) || AS_VALUE.test(text.slice(end, end + FAR).trimStart());
    if (/\byield\s*$/.test(before)) {
      found.push({ verb, start: start - before.length + before.trimEnd().length, end, right: `* ${call}` });
    } else found.push({ verb, start, end, right: inside ? `(yield* ${call})` : `yield* ${call}` });
  }
  return found;
}

/** What contexts are called in code without text: `ctx`, and as the tools and branches in it call theirs. */
export function contextsIn(text: string): readonly string[] {
  const branches = text.matchAll(/\bbranch\s*\(\s*function\s*\*\s*\w*\s*\(\s*(\w+)/g);
  return [
    ...new Set(['ctx', ...[...branches, ...text.matchAll(SECOND)].flatMap(({ 1: name }) => name ?? [])]),
  ];
}

/** The verbs that code takes out of a context, as an alternative of a pattern. */
function takenOut(text: string): string {
  const lists = [
    ...[...text.matchAll(SECOND)].map((one) => one[2]),
    ...[...text.matchAll(TAKEN_OUT)].map((one) => one[1]),
  ];
  const verb = new RegExp(`^\\s*(?:${VERBS})\\s*(?::\\s*(\\w+)\\s*)?$`);
  const names = lists.flatMap((list = '') =>
    list.split(',').flatMap((one) => {
      const found = verb.exec(one);
      return found ? [found[1] ?? one.trim()] : [];
    }),
  );
  return names.length === 0 ? '' : `|(?:${names.join('|')})(?:\\.strict|\\.withRetry|\\.all)?`;
}

/** Characters that are looked at on each side of a call: files can be generated, and large. */
const FAR = 20_000;
/** Calls that are found in one file: who corrects these sees the next. */
const MOST = 100;

/** What is said of it. */
export function forgottenText({ verb }: Forgotten): string {
  return `${verb}(…) does nothing without \`yield*\`: write \`yield* ${verb}(…)\``;
}

function isForgotten(before: string, rest: string): boolean {
  if (/\b(?:yield|await)\s*$/.test(before) || /!\s*$/.test(before)) return true;
  if (AS_VALUE.test(rest.trimStart()) || /[}\]]\s*=\s*$/.test(before)) return true;
  if (STATEMENT.test(before) && !KEYWORD.test(before)) return true;
  if (/\breturn\s*$/.test(before)) return isInGenerator(before);
  if (/\b(?:if|while|switch)\s*$/.test(before.slice(0, openParenthesis(before)))) return true;
  const [, name] = /(?:const|let|var)\s+(\w+)\s*=\s*$/.exec(before) ?? [];
  return name !== undefined && isTakenForValue(name, rest);
}

/** Whether what has this name is used as if it were an answer, and never run. */
function isTakenForValue(name: string, rest: string): boolean {
  if (new RegExp(`\\byield\\s*\\*\\s*${name}\\b`).test(rest)) return false;
  return new RegExp(
    `!\\s*${name}\\b(?!\\s*[(])|(?<![.\\w$])${name}\\s*(?:\\.(?!\\.)|\\?(?!\\?)|&&|\\|\\||[=!]==?)|\\b(?:if|while|switch)\\s*\\(\\s*${name}\\b`,
  ).test(rest);
}

/** What is before the brace of a block that belongs to the code around it. */
const OF_A_STATEMENT = /(?:^|[;{}:]|\b(?:else|try|finally|do))$/;

/** Whether the end of the text is in the block of a generator function, and in no other function within that. */
function isInGenerator(text: string): boolean {
  let depth = 0;
  for (let at = text.length - 1; at >= 0; at--) {
    const char = text[at] ?? '';
    if (')]}'.includes(char)) depth += 1;
    if (!'([{'.includes(char) || --depth >= 0) continue;
    if (char !== '{') return false;
    depth = 0;
    const head = text.slice(0, at).trimEnd();
    if (OF_A_STATEMENT.test(head)) continue;
    const closed = /\)(?:\s*:[^(){};]*)?$/.exec(head);
    const name = closed ? head.slice(0, openParenthesis(head.slice(0, closed.index))).trimEnd() : '';
    if (/\b(?:if|for|while|switch|catch)$/.test(name)) continue;
    return /\*\s*\w*$/.test(name);
  }
  return false;
}

/** Where the parenthesis is that the end of the text is in; -1 where that is another bracket, or none. */
function openParenthesis(text: string): number {
  let depth = 0;
  for (let at = text.length - 1; at >= 0; at--) {
    const char = text[at] ?? '';
    if (')]}'.includes(char)) depth += 1;
    else if ('([{'.includes(char) && --depth < 0) return char === '(' ? at : 0;
    else if (char === ';' && depth === 0) return 0;
  }
  return 0;
}

/** Where the call ends whose parenthesis opens here. */
export function endOfCall(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at++) {
    if (text[at] === '(') depth += 1;
    if (text[at] === ')' && --depth === 0) return at + 1;
  }
  return text.length;
}
