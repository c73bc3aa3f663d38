import { expect, it } from 'vitest';
import { forgottenIn } from '#src/source/forgotten.ts';

const inTool = (code: string) => `tool.execute(function* (params, ctx) {\n  ${code}\n  return 'done';\n});`;
const mended = (code: string) => {
  let text = inTool(code);
  for (const { start, end, right } of [...forgottenIn(text)].reverse())
    text = text.slice(0, start) + right + text.slice(end);
  return text;
};

it.each([
  [
    "if (!confirm(ctx, 'Delete (all)?')) return 'kept';",
    "if (!(yield* confirm(ctx, 'Delete (all)?'))) return 'kept';",
  ],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is code.
  ["if (confirm(ctx, `a ${b('}')} c`)) go();", "if ((yield* confirm(ctx, `a ${b('}')} c`))) go();"],
  ["if (hurried || confirm(ctx, 'x')) go();", "if (hurried || (yield* confirm(ctx, 'x'))) go();"],
  [
    "const sure = confirm(ctx, 'x');\n  if (!sure) return;",
    "const sure = yield* confirm(ctx, 'x');\n  if (!sure) return;",
  ],
  [
    "const answer = ctx.elicit('a', { message });\n  if (answer.action === 'accept') go();",
    "const answer = yield* ctx.elicit('a', { message });\n  if (answer.action === 'accept') go();",
  ],
  [
    "const { action } = ctx.elicit<A>('a', { message: 'it’s' });",
    "const { action } = yield* ctx.elicit<A>('a', { message: 'it’s' });",
  ],
  ['const text = ctx.sample({ prompt }).text;', 'const text = (yield* ctx.sample({ prompt })).text;'],
  ['const one = choose(ctx, { items });\n  one.id;', 'const one = yield* choose(ctx, { items });\n  one.id;'],
  ["return confirm(ctx, 'x') ? 'yes' : 'no';", "return (yield* confirm(ctx, 'x')) ? 'yes' : 'no';"],
  [
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is code.
    'const said = `It says ${ctx.sample({ prompt })}`;',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is code.
    'const said = `It says ${(yield* ctx.sample({ prompt }))}`;',
  ],
  ['yield ctx.sleep(5);', 'yield* ctx.sleep(5);'],
  ["ctx.log('info', 'x')\n  ctx.notify('y');", "yield* ctx.log('info', 'x')\n  yield* ctx.notify('y');"],
  [
    "if (params.all) ctx.step('delete', () => wipe());",
    "if (params.all) yield* ctx.step('delete', () => wipe());",
  ],
  ["ctx.elicit.strict('a', { message });", "yield* ctx.elicit.strict('a', { message });"],
  [
    "yield* ctx.branch(function* (inner) { inner.log('info', 'x'); });",
    "yield* ctx.branch(function* (inner) { yield* inner.log('info', 'x'); });",
  ],
  [
    'function* ask(ctx) { yield* ctx.roots(); }\n  ask(ctx);',
    'function* ask(ctx) { yield* ctx.roots(); }\n  yield* ask(ctx);',
  ],
])('a forgotten yield* is found, and can be written: %s', (code, right) => {
  expect(mended(code)).toBe(inTool(right));
  expect(forgottenIn(inTool(right))).toEqual([]);
});

it.each([
  "yield* all([ctx.elicit('a', { message }), ctx.sleep(5)]);",
  'const won = yield* race([\n    ctx.sample({ prompt }),\n    timeout(ctx.sleep(5)),\n  ]);',
  "const task = yield* spawn(() => ctx.log('info', 'x'));",
  "const later = ctx.log('info', 'x');\n  yield* until(p);\n  yield* later;",
  'const both = [ctx.sample({ prompt })];\n  yield* all(both);',
  'const op = ctx.sample({ prompt });\n  const { text } = yield* withRetries(op);',
  "const ask = () => ctx.elicit('a', { message });\n  yield* ask();",
  "yield* (params.all ? ctx.log('info', 'x') : ctx.notify('y'));",
  "const row = (yield* ctx.elicit.strict('a', { message })).row;",
  "if (!(yield* confirm(ctx, 'x'))) return 'no';",
  'return yield* params.all ? ctx.sleep(1) : ctx.sleep(2);',
  "console.log('x'); list.call(this); other.log('y'); // ctx.log('info', 'x');",
  "const text = 'ctx.log(); ctx.sample()';\n  const pattern = /ctx.log()/;",
  "yield*\n    // why\n    ctx.log('info', 'x');",
  'for (const ask of questions(ctx)) yield* ask;',
  "yield* ensure(() => ctx.log('info', 'bye'));",
])('what may run is left alone: %s', (code) => {
  expect(forgottenIn(inTool(code))).toEqual([]);
});

it('a large file of data, and one of many calls, are looked through in one go', () => {
  const data = `const all = [${'1 / 2,\n'.repeat(100_000)}];`;
  expect(forgottenIn(inTool(`${data}\n  ctx.notify('x');`))).toHaveLength(1);
  expect(forgottenIn(inTool("ctx.log('info', 'x');\n".repeat(20_000)))).toHaveLength(100);
});
