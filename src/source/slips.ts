import type { FieldMeta } from '../core/form/field-meta.ts';
import { distance, nearest } from '../core/messages/nearest.ts';
import { contextsIn, endOfCall } from './forgotten.ts';
import { withoutText } from './without-text.ts';

/** Code that builds, and does something else than its author means. */
export interface Slip {
  /** Where it is, in UTF-16 units of the code. */
  readonly start: number;
  readonly length: number;
  /** What is wrong, and what to write. */
  readonly message: string;
}

/** A file that makes tools. */
interface ToolCode {
  readonly code: string;
  /** The code without what its strings and comments say, each character in its place. */
  readonly text: string;
  /** What the contexts of its tools are called, for a pattern. */
  readonly ctx: string;
}

type Rule = (file: ToolCode) => Iterable<Slip>;

/** The usual slips in a file that makes tools. Other files may mean anything. */
export function slipsIn(code: string): readonly Slip[] {
  if (!/\bcreateMcpTool\s*\(/.test(code)) return [];
  const text = withoutText(code);
  const file = { code, text, ctx: `(?:${contextsIn(text).join('|')})` };
  const found = RULES.flatMap((rule) => [...rule(file)]);
  return found.sort((a, b) => a.start - b.start).slice(0, MOST);
}

/** Slips that are told of one file: who corrects these sees the next. */
const MOST = 50;

/** All that a context has. */
const MEMBERS: readonly string[] =
  'callId toolName depth messages parentMessages capabilities caller signal log notify roots step sleep elicit sample sampleSchema sampleTools rollback call branch'.split(
    ' ',
  );

/** What that of a handler has beside, or in place of them. */
const OF_HANDLERS: readonly string[] = ['elicitRequest', 'render', 'show', 'reportProgress'];

/** What a context is asked for by other names. */
const INSTEAD: readonly (readonly [RegExp, string])[] = [
  [/^(info|warn|warning|error|debug|trace|print)$/, "ctx.log('info', '…')"],
  [/^(ask|prompt|confirm|input|question|elicitInput|elicitation)/, "ctx.elicit('key', { message: '…' })"],
  [/progress|status/i, "ctx.notify('…')"],
  [/^(complete|completion|generate|llm|model|createMessage|sampling)/, "ctx.sample({ prompt: '…' })"],
];

/** Options of a question and keys of `.meta()`. Other names are the author's own. */
const OPTIONS = ['message', 'values', 'schema', 'timeout', 'person', 'replies', 'context'];
const META = Object.keys({
  ...{ title: true, description: true, examples: true, deprecated: true },
  ...{ page: true, placeholder: true, multiline: true, pick: true, enumNames: true, recommended: true },
  ...{ preview: true, ordered: true, action: true, decline: true },
} satisfies Record<keyof FieldMeta, true> & Record<string, true>);

const ACTIONS = ['accept', 'decline', 'cancel', 'reply'];
const RESULT = ['action', 'content', 'exchange', 'answeredBy', 'text', 'reason'];

const RULES: readonly Rule[] = [
  function* members({ text, ctx }) {
    const known = /\.onElicit\s*\(/.test(text) ? [...MEMBERS, ...OF_HANDLERS] : MEMBERS;
    for (const { 0: all, 1: name = '', index } of text.matchAll(
      new RegExp(`(?<![.\\w$])${ctx}\\.(\\w+)`, 'g'),
    )) {
      if (known.includes(name)) continue;
      const instead = INSTEAD.find(([pattern]) => pattern.test(name))?.[1] ?? nearest(name, MEMBERS);
      const right = instead ? `: write \`${/\W/.test(instead) ? instead : `ctx.${instead}`}\`` : '';
      yield slip(index, all, `there is no ${all}${right || `; there are ${MEMBERS.join(', ')}`}`);
    }
  },
  function* keys({ code, text, ctx }) {
    for (const { 0: begun, index: from } of text.matchAll(/\.(?:execute|handoff)\s*\(/g)) {
      const declared = declaredBefore(code, text, from);
      if (!declared) continue;
      const body = text.slice(0, endOfCall(text, from + begun.length - 1));
      const asked = new RegExp(`(?<![.\\w$])${ctx}\\.elicit(?:\\.strict|\\.withRetry)?\\s*\\(\\s*'`, 'g');
      asked.lastIndex = from;
      for (let call = asked.exec(body); call; call = asked.exec(body)) {
        const start = call.index + call[0].length;
        const key = code.slice(start, text.indexOf("'", start));
        if (declared.includes(key) || code[start - 1] === '`') continue;
        const near = nearest(key, declared);
        const names = declared.map((one) => `'${one}'`).join(', ') || 'nothing';
        const right = near ? `write '${near}'` : 'add it there, or ask with { message, schema }';
        yield slip(start, key, `.elicits() declares no '${key}', it declares ${names}: ${right}`);
      }
    }
  },
  function* messages({ text, ctx }) {
    const calls = new RegExp(
      `(?<![.\\w$])(${ctx}\\.elicit(?:\\.strict|\\.withRetry)?)\\s*\\(\\s*('[^']*')\\s*(?:\\)|,\\s*['\`])`,
      'g',
    );
    for (const { 0: all, 1: verb, index } of text.matchAll(calls))
      yield slip(index, all, `a question has a message: write \`${verb}('key', { message: '…' })\``);
    for (const { 0: all, index } of text.matchAll(
      new RegExp(`(?<![.\\w$])${ctx}\\.log\\s*\\(\\s*'[^']*'\\s*\\)`, 'g'),
    ))
      yield slip(index, all, "a log has a level: write `ctx.log('info', '…')`");
  },
  function* results({ code, text, ctx }) {
    const asked = new RegExp(
      `(?:const|let)\\s+(\\w+)\\s*=\\s*yield\\s*\\*\\s*${ctx}\\.elicit(?:\\.withRetry|\\.all)?\\s*\\(`,
      'g',
    );
    for (const { 0: all, 1: name = '', index } of text.matchAll(asked)) {
      const from = endOfCall(text, index + all.length - 1);
      // A page has a result of its own.
      if (/\burl\b/.test(text.slice(index, from))) continue;
      const again = text.slice(from).search(new RegExp(`(?:const|let)\\s+${name}\\b|\\bfunction\\b`));
      const rest = text.slice(from, again < 0 ? from + FAR : from + again);
      for (const used of rest.matchAll(new RegExp(`(?<![.\\w$])${name}\\??\\.(\\w+)`, 'g'))) {
        const [what, field = ''] = used;
        const start = from + used.index;
        if (!RESULT.includes(field)) {
          const right = /^(data|values?|result|response|answers?)$/.test(field)
            ? 'content'
            : `content.${field}`;
          const message = `${what} is not there, a result is { action, content }: write \`${name}.${right}\`, where ${name}.action is 'accept'`;
          yield slip(start, what, message);
        }
        const [, action = ''] =
          /^\s*[=!]==?\s*['"](\w+)['"]/.exec(code.slice(start + what.length, start + what.length + 60)) ?? [];
        if (field === 'action' && action !== '' && !ACTIONS.includes(action)) {
          const near = ACTIONS.find((one) => one[0] === action[0]) ?? 'accept';
          yield slip(
            start,
            what,
            `an action is never '${action}', it is ${ACTIONS.map((one) => `'${one}'`).join(', ')}: write '${near}'`,
          );
        }
      }
    }
  },
  function* options({ text, ctx }) {
    const calls = new RegExp(
      `(?<![.\\w$])${ctx}\\.elicit(?:\\.\\w+)?\\s*\\(\\s*(?:'[^']*'\\s*,\\s*)?(?=\\{)`,
      'g',
    );
    for (const { 0: all, index } of text.matchAll(calls)) yield* misspelt(text, index + all.length, OPTIONS);
    for (const { 0: all, index } of text.matchAll(/\.meta\s*\(\s*(?=\{)/g))
      yield* misspelt(text, index + all.length, META);
  },
  function* promises({ code, text, ctx }) {
    const verbs = new RegExp(`(?<![.\\w$])${ctx}\\.\\w`);
    for (const { 0: all, 1: how = '', index } of text.matchAll(
      /\bPromise\.(all|allSettled|race|any)\s*\(/g,
    )) {
      if (!verbs.test(text.slice(index, endOfCall(text, index + all.length - 1)))) continue;
      const right = /^all/.test(how) ? 'all' : 'race';
      const message = `Promise.${how} runs no operations: write \`yield* ${right}([…])\`, with \`${right}\` of effection`;
      yield slip(index, all.slice(0, -1).trimEnd(), message);
    }
    for (const { 0: all, 1: what = '', index } of text.matchAll(
      /\byield\s*\*?\s*((?:new\s+)?Promise\b|fetch(?=\s*\()|import(?=\s*\())/g,
    )) {
      const inside = text.slice(index, endOfCall(text, text.indexOf('(', index)));
      if (verbs.test(inside) || new RegExp(`import\\s*\\{[^}]*\\b${what}\\b`).test(code)) continue;
      const right = /\bsetTimeout\b/.test(inside) ? 'ctx.sleep(milliseconds)' : 'until(promise)';
      const from = right === 'until(promise)' ? ', with `until` of effection' : '';
      yield slip(index, all, `a promise is no operation: write \`yield* ${right}\`${from}`);
    }
  },
  function* callbacks({ text }) {
    const calls =
      /\.(forEach|filter|some|every|find|findIndex|reduce|flatMap|sort|map)\s*\(\s*function\s*\*/g;
    for (const { 0: all, 1: name = '', index } of text.matchAll(calls)) {
      // `yield* all(items.map(function* …))` is how several are run at once.
      const line = text.slice(text.lastIndexOf('\n', index) + 1, index);
      if (name === 'map' && /[=(]|\b(?:return|yield)\b/.test(line)) continue;
      yield slip(
        index + 1,
        all.slice(1),
        `${name} runs no generators: write \`for (const item of items) { … }\``,
      );
    }
  },
  function* codes({ text }) {
    for (const { 0: all, index } of text.matchAll(
      /\.execute\s*\(\s*(?:function\s*\w*\s*\([^()]*\)\s*|\([^()]*\)\s*=>\s*|\w+\s*=>\s*)(?=\{)/g,
    )) {
      const body = text.slice(index + all.length, endOfCall(text, text.indexOf('(', index)));
      // It may hand on the operation of another function.
      if (/\breturn\s+[\w$.]+\s*\(/.test(body)) continue;
      const message =
        'the code of a tool is a generator function: write `.execute(function* (params, ctx) { … })`';
      yield slip(index, '.execute', message);
    }
  },
  function* returned({ text }) {
    for (const { 0: all, index } of text.matchAll(/\breturn\s*\{\s*content\s*:\s*\[\s*\{\s*type\s*:/g)) {
      const message =
        'a tool returns its result itself, not { content: […] }: return the text, the data, or the list of content blocks';
      yield slip(index, all.slice(0, 6), message);
    }
  },
  function* programs({ text }) {
    for (const { 0: all, 1: what, index } of text.matchAll(/\bprocess\.(?:(exit)\s*\(|stdin\b)/g)) {
      const message = what
        ? 'process.exit ends the server with all of its calls: throw an Error'
        : "stdin belongs to the client that started the server: ask with `yield* ctx.elicit('key', { message: '…' })`";
      yield slip(index, all.replace(/\s*\($/, ''), message);
    }
  },
  function* helpers({ code, text }) {
    for (const { 0: all, 1: name = '', index } of text.matchAll(
      /(?<![.\w$])(confirm|choose)\s*\(\s*(?=['{])/g,
    )) {
      if (!new RegExp(`import\\s*\\{[^}]*\\b${name}\\b[^}]*\\}\\s*from\\s*['"]parley-mcp['"]`).test(code))
        continue;
      yield slip(index, all, `${name} takes the context first: write \`yield* ${name}(ctx, …)\``);
    }
  },
  function* exported({ text }) {
    for (const { 1: name = '', index } of text.matchAll(
      /^(?:const|let|var)\s+(\w+)\s*=\s*createMcpTool\s*\(/gm,
    )) {
      // What is only put into a list, or into an object that CommonJS exports, is not found there.
      const elsewhere = text.replace(
        /\bmodule\.exports\s*=[^;\n]*|\bexport\s+(?:const|let)\s+\w+\s*=\s*\[[^\]]*\]/g,
        '',
      );
      if ((elsewhere.match(new RegExp(`(?<![.\\w$])${name}\\b`, 'g')) ?? []).length > 1) continue;
      yield slip(index, 'const', `the tool is not exported by itself: write \`export const ${name} = …\``);
    }
  },
];

/** How far what an answer is used for is looked at. */
const FAR = 20_000;

function slip(start: number, what: string, message: string): Slip {
  return { start, length: what.split('\n')[0]?.length ?? 0, message };
}

/** The keys of the last `.elicits({ … })` before a place; nothing where they cannot be read, or there is none. */
function declaredBefore(code: string, text: string, end: number): readonly string[] | undefined {
  const before = [...text.slice(0, end).matchAll(/\.elicits\s*\(\s*/g)].at(-1);
  const keys = (before && fieldsOf(text, before.index + before[0].length))?.map(({ start, name }) =>
    name.startsWith("'") ? code.slice(start + 1, start + name.length - 1) : name,
  );
  return keys?.every((key) => /^[\w-]+$/.test(key)) ? keys : undefined;
}

function* misspelt(text: string, open: number, known: readonly string[]): Generator<Slip> {
  for (const { name, start } of fieldsOf(text, open) ?? []) {
    const message = misspelling(name, known);
    if (message !== undefined) yield slip(start, name, message);
  }
}

/** What is said of a key of `.meta()` that looks like one that forms know; nothing of any other. */
export function misspeltMeta(name: string): string | undefined {
  return misspelling(name, META);
}

function misspelling(name: string, known: readonly string[]): string | undefined {
  if (known.includes(name)) return undefined;
  const near = known.find(
    (one) => distance(one, name) <= (one.length === name.length ? 2 : one.length > 8 ? 1 : 0),
  );
  return near && `'${name}' looks like '${near}', and does nothing here: write '${near}'`;
}

/** The names before the values of an object literal that opens here; nothing where something is spread into it, or it is none. */
function fieldsOf(text: string, open: number): ReadonlyArray<{ start: number; name: string }> | undefined {
  if (text[open] !== '{') return undefined;
  const fields: { start: number; name: string }[] = [];
  let depth = 0;
  let from = open + 1;
  for (let at = open; at < text.length; at++) {
    const char = text[at] ?? '';
    if ('([{'.includes(char)) depth += 1;
    else if (')]}'.includes(char)) depth -= 1;
    if (depth > 1 || (depth === 1 && char !== ',')) continue;
    const [, space = '', name] = /^(\s*)('[^']*'|[\w$]+|\S?)/.exec(text.slice(from, at)) ?? [];
    if (name && !/^['\w$]/.test(name)) return undefined;
    if (name) fields.push({ start: from + space.length, name });
    if (depth === 0) return fields;
    from = at + 1;
  }
  return undefined;
}
