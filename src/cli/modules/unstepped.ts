import { type Offer, toolOf } from '../../core/plugin/offer.ts';
import { withoutText } from '../../source/without-text.ts';

/** What is not the same each time, or does something to the world, as it looks in code. */
const SUSPECTS: readonly (readonly [pattern: RegExp, what: string])[] = [
  [/\bDate\.now\s*\(/, 'Date.now()'],
  [/\bnew\s+Date\s*\(\s*\)/, 'new Date()'],
  [/\bperformance\.now\s*\(/, 'performance.now()'],
  [/\bMath\.random\s*\(/, 'Math.random()'],
  [/\brandomUUID\s*\(/, 'randomUUID()'],
  [/\bgetRandomValues\s*\(/, 'getRandomValues()'],
  [/(?<![.\w])fetch\s*\(/, 'fetch()'],
  // Of Effection; a bundler may write `(0, effection.sleep)(1)`. `ctx.sleep` is what a durable tool has for it.
  [/(?<![.\w])sleep\s*\(|\.sleep\)\s*\(/, 'sleep()'],
  // Of Effection, for functions of promises and for promises.
  [/(?<![.\w])call\s*\(|(?<!\bctx)\.call\)\s*\(/, 'call()'],
  [/(?<![.\w])until\s*\(|\.until\)\s*\(/, 'until()'],
  // Calls of other servers' tools are written down by themselves.
  [/\bctx\.call\s*\((?!\s*'\/)/, 'ctx.call()'],
];

const ANYTHING = 'that runs again, and may return something else';

const AGAIN: Readonly<Record<string, string>> = {
  // A tool that asks, or has steps, cannot be called in one.
  'ctx.call()':
    'that tool runs again, too. This is safe if its effects are in its own steps. If it asks nothing and has no steps, call it in a step',
};

/**
 * What a durable tool does outside of its steps and should not, one sentence each. Only the tool's own function is looked at: what
 * it calls is not seen, and names that the code gives to these things are not followed.
 */
export function unstepped(offer: Offer): readonly string[] {
  const { name, durable, body } = toolOf(offer).def;
  if (!durable) return [];
  // `before` runs once in the life of the call, as a step does.
  const codes = body.kind === 'execute' ? [body.execute] : [body.phases.client, body.phases.after];
  const text = codes.map((code) => withoutSteps(withoutText(String(code)))).join('\n');
  return SUSPECTS.filter(([pattern]) => pattern.test(text)).map(
    ([, what]) =>
      `'${name}' is durable and calls ${what} outside of ctx.step: when the call is resumed, ${AGAIN[what] ?? ANYTHING}`,
  );
}

/** Says of a tool whose calls stay in the process that they began in, whatever `--state` says, what its author can do. */
export function unmoved(offer: Offer): readonly string[] {
  const { name, durable, annotations } = toolOf(offer).def;
  if (durable || annotations.readOnlyHint) return [];
  return [
    `'${name}' is neither durable nor read-only: its calls end with the process where they started. If all its effects are in ctx.step, add .durable(). If it changes nothing, add .annotations({ readOnlyHint: true })`,
  ];
}

/** Code without what stands between the parentheses of its steps. */
function withoutSteps(code: string): string {
  let left = code;
  for (let at = left.search(/\bstep\s*\(/); at >= 0; at = left.search(/\bstep\s*\(/)) {
    const open = left.indexOf('(', at);
    left = left.slice(0, at) + left.slice(endOf(left, open));
  }
  return left;
}

/** Where the parenthesis that opens here is closed. */
function endOf(code: string, open: number): number {
  let depth = 0;
  for (let at = open; at < code.length; at++) {
    if (code[at] === '(') depth += 1;
    if (code[at] === ')' && --depth === 0) return at + 1;
  }
  return code.length;
}
