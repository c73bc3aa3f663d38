import type { JsonObject, JsonValue } from '../../../core/messages/json.ts';
import { type Mask, secretsIn } from '../../../core/messages/secrets/mask-secrets.ts';
import { isObject } from '../../../core/schema/is-object.ts';
import type { ToolDefinition } from '../../../core/tool/tool.ts';
import { effectiveLines } from '../../../runtime/journal/effective.ts';
import type { JournalLine, LineOf } from '../../../runtime/journal/lines.ts';
import type { EndEvent } from '../../../runtime/session/events.ts';
import { literal, literalKey, quoted } from './literal.ts';

/** A call that is to be a test. */
export interface CallToTest {
  readonly toolName: string;
  readonly callId: string;
  readonly params: JsonObject;
  readonly lines: readonly JournalLine[];
  readonly end: EndEvent;
  /** The questions that the tool declares. */
  readonly elicits: ToolDefinition['elicits'];
  /** What the tool's file exports it as, and where that is, seen from the test. */
  readonly exported: { readonly name: string; readonly from: string };
}

/** The name of a step of which nobody knows what it came to: a test can neither do it nor say what it gave. */
export function stepCutShort(lines: readonly JournalLine[]): string | undefined {
  const over = new Set(lines.flatMap((line) => (isOutcome(line) ? [line.id] : [])));
  const found = effectiveLines(lines).find(
    ({ line }) => line.t === 'step' && !line.reads && !over.has(line.id),
  );
  return found?.line.t === 'step' ? found.line.name : undefined;
}

/** What a file exports a tool as; nothing where it does not, or in a way that is not understood. */
export function exportedAs(text: string, toolName: string): string | undefined {
  const made = `createMcpTool\\(\\s*(?<quote>['"\`])${toolName}\\k<quote>`;
  if (new RegExp(`^export default ${made}`, 'm').test(text)) return 'default';
  const [, isExported, name] =
    new RegExp(`^(export )?const (\\w+)(?:: \\w+)? =\\s+${made}`, 'm').exec(text) ?? [];
  if (isExported || name === undefined) return name;
  if (new RegExp(`^export default ${name};?\\s*$`, 'm').test(text)) return 'default';
  return new RegExp(`^export \\{[^}]*\\b${name}\\b(?! as)[^}]*\\}`, 'm').test(text) ? name : undefined;
}

/** A test of `parley-mcp/testing` that makes the call again: what it was answered then is its script, how it ended what is expected. */
export function testOf(call: CallToTest): string {
  const { toolName, callId, params, lines, end, elicits, exported } = call;
  const answers = answersIn(lines);
  const given = answers.map(({ answer }) => answer);
  const secrets = secretsIn(
    [params, ...given, ...lines.map((line) => (line.t === 'stepped' ? line.result : undefined))],
    0,
  );
  const renamed = straightIds(callId, lines);
  const mask: Mask = (value) => renamed(secrets(value));
  const named = exported.name === 'default' ? 'tool' : exported.name;
  const imported = exported.name === 'default' ? named : `{ ${named} }`;
  const scripts = scriptsOf(answers, elicits, mask);
  const options = `{ callId: ${quoted(callId)}${stepsOf(lines, mask)} }`;
  const run = `runMcpTool(${named}, ${literal(mask(params), '  ')}, client, ${options})`;
  return `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMockMcpClient, runMcpTool } from 'parley-mcp/testing';
import ${imported} from ${quoted(exported.from)};

// A call that was made, with what it was answered then. Secrets are masked.
test(${quoted(titleOf(toolName, end))}, async () => {
  const client = createMockMcpClient({${scripts === '' ? '' : `\n${scripts}  `}});
${expectation(run, end, mask)}  assert.deepEqual(client.unused, []);
});
`;
}

/** What names a question by its id, as it does in a call in which nobody went back: there no number is left out. */
function straightIds(callId: string, lines: readonly JournalLine[]): Mask {
  const counts = new Map<string, number>();
  const ids = new Map<string, string>();
  for (const { line } of effectiveLines(lines)) {
    if (line.t !== 'open') continue;
    counts.set(line.kind, (counts.get(line.kind) ?? 0) + 1);
    ids.set(`${callId}-${line.id}`, `${callId}-${line.kind}-${counts.get(line.kind)}`);
  }
  const id = new RegExp(`${callId.replace(/\W/g, '\\$&')}-[a-z]+-\\d+`, 'g');
  return (value) =>
    value === undefined ? value : JSON.parse(JSON.stringify(value).replace(id, (one) => ids.get(one) ?? one));
}

/** An ask, in the order in which the asks opened, and what came of it; nothing where the tool let go of it. */
interface Asked {
  readonly kind: 'elicit' | 'sample' | 'roots';
  readonly name: string | undefined;
  readonly answer: JsonValue | undefined;
  readonly error: string | undefined;
}

function answersIn(lines: readonly JournalLine[]): readonly Asked[] {
  const asks = new Map<string, Asked>();
  for (const { line } of effectiveLines(lines)) {
    if (line.t === 'open') {
      const { kind, name } = line;
      asks.set(line.id, { kind, name, answer: undefined, error: undefined });
    }
    if (line.t !== 'answer' && line.t !== 'fail') continue;
    const ask = asks.get(line.id);
    if (!ask) continue;
    const came = line.t === 'answer' ? { answer: line.answer } : { error: line.error.message };
    asks.set(line.id, { ...ask, ...came });
  }
  return [...asks.values()];
}

function scriptsOf(asks: readonly Asked[], elicits: ToolDefinition['elicits'], mask: Mask): string {
  const script = (kind: Asked['kind'], option: string) => {
    const some = asks.filter((ask) => ask.kind === kind);
    const texts = some.map((ask) => `      ${responseOf(ask, elicits, mask)},\n`);
    return texts.length === 0 ? '' : `    ${option}: [\n${texts.join('')}    ],\n`;
  };
  const roots = asks.find(({ kind, answer }) => kind === 'roots' && answer !== undefined)?.answer;
  const known = typeof roots === 'object' && roots !== null && 'roots' in roots ? roots.roots : undefined;
  const rooted = known === undefined ? '' : `    roots: ${literal(mask(known), '    ')},\n`;
  return `${script('elicit', 'elicitResponses')}${script('sample', 'sampleResponses')}${rooted}`;
}

function responseOf(
  { name = '', answer, error }: Asked,
  elicits: ToolDefinition['elicits'],
  mask: Mask,
): string {
  if (error !== undefined) return `new Error(${quoted(mask(error))})`;
  // Nobody answered, and the tool went on without.
  if (answer === undefined) return '() => new Promise(() => {})';
  const said = mask(answer);
  const form = Object.hasOwn(elicits, name) ? elicits[name]?.json.properties : undefined;
  if (!form || !isObject(said) || !isObject(said.content)) return literal(said, '      ');
  // What the person left empty is so in the test, whatever the form begins with.
  const empty = Object.fromEntries(Object.keys(form).map((field) => [field, undefined]));
  return literal({ ...said, content: { ...empty, ...said.content } }, '      ');
}

type Outcome = LineOf<'stepped' | 'step_failed'>;

function isOutcome(line: JournalLine): line is Outcome {
  return line.t === 'stepped' || line.t === 'step_failed';
}

/** What the steps gave, by name, in the order in which they began: a test does none of them again. */
function stepsOf(lines: readonly JournalLine[], mask: Mask): string {
  const counted = effectiveLines(lines).map(({ line }) => line);
  const outcomes = new Map(counted.flatMap((line) => (isOutcome(line) ? [[line.id, line]] : [])));
  const names = new Map<string, string[]>();
  for (const line of counted) {
    const outcome = line.t === 'step' && line.attempt === 1 ? outcomes.get(line.id) : undefined;
    if (line.t !== 'step' || !outcome) continue;
    const text =
      outcome.t === 'stepped'
        ? literal(mask(outcome.result), '      ')
        : `new Error(${quoted(mask(outcome.error.message))})`;
    names.set(line.name, [...(names.get(line.name) ?? []), text]);
  }
  if (names.size === 0) return '';
  const all = [...names].map(([name, texts]) => `      ${literalKey(name)}: [${texts.join(', ')}],\n`);
  return `,\n    steps: {\n${all.join('')}    },\n `;
}

function titleOf(toolName: string, end: EndEvent): string {
  return end.type === 'result' ? `${toolName} gives what it gave` : `${toolName} fails as it failed`;
}

function expectation(run: string, end: EndEvent, mask: Mask): string {
  if (end.type === 'error')
    return `  await assert.rejects(${run}, { message: ${quoted(mask(end.error.message))} });\n`;
  const value = end.type === 'result' ? end.value : undefined;
  return `  const result = await ${run};\n  assert.deepEqual(result, ${literal(mask(value), '  ')});\n`;
}
