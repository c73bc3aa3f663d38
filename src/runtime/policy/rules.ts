import * as z from 'zod/mini';
import type { JsonObject } from '../../core/messages/json.ts';
import { problemsIn } from '../../core/schema/validate.ts';
import type { ToolAnnotations } from '../../core/tool/tool.ts';
import type { AskingTool, PolicyVerdict } from './call-policy.ts';
import { fitsPattern } from './pattern.ts';

/** What a rule looks at. */
export interface RuledCall {
  /** The server that has the tool; none for a tool of ours. */
  readonly server: string | undefined;
  /** As its server calls it. */
  readonly tool: string;
  /** What the server claims of it. */
  readonly annotations: ToolAnnotations;
  readonly params: JsonObject;
  /** Only rules that name the tool are about it: see {@link JudgedCall}. */
  readonly named?: boolean | undefined;
}

/** When all that it names fits, `verdict` is what becomes of the call. In names and values, `*` stands for anything. */
export interface PolicyRule {
  readonly server?: string | undefined;
  readonly tool?: string | undefined;
  /** A hint that the server gives and says is true. */
  readonly annotation?: 'readOnlyHint' | 'destructiveHint' | 'idempotentHint' | 'openWorldHint' | undefined;
  /** Argument → what its value reads like; values that are no text, as JSON. */
  readonly arguments?: Readonly<Record<string, string | number | boolean | null>> | undefined;
  /** `person` is about what the call asks, whatever its arguments. */
  readonly verdict: PolicyVerdict | 'person';
  /** It cannot be read: what stands there, and what is wrong with it. The rest is what can be read of it. */
  readonly unreadable?: string | undefined;
}

/** Made when settings are read: what imports this is loaded with the first call. */
const ruleSchema = () =>
  z.strictObject({
    server: z.optional(z.string()),
    tool: z.optional(z.string()),
    annotation: z.optional(z.enum(['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'])),
    arguments: z.optional(z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))),
    verdict: z.enum(['allow', 'ask', 'deny', 'person']),
  });

/**
 * What can be read of a rule that cannot be read whole. It may have been meant to forbid whatever its server and tool do not rule out, so it
 * forbids that, unless it says that it asks. One that allows is left out.
 */
function readablePart(one: unknown, problem: string): readonly PolicyRule[] {
  const { server, tool, verdict } = Object(one) as Readonly<Record<string, unknown>>;
  if (verdict === 'allow') return [];
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
  return [
    {
      server: text(server),
      tool: text(tool),
      verdict: verdict === 'ask' ? 'ask' : 'deny',
      unreadable: `${JSON.stringify(one).slice(0, 200)} (${problem})`,
    },
  ];
}

/**
 * Reads rules that somebody wrote. Those of a workspace can only narrow: what they allow is not read.
 *
 * @param own whether the person wrote them for all workspaces
 */
export function readRules(
  written: unknown,
  own: boolean,
  report: (problem: string) => void,
): readonly PolicyRule[] {
  if (written === undefined) return [];
  const list: readonly unknown[] = Array.isArray(written) ? written : [written];
  const schema = ruleSchema();
  return list.flatMap((one): PolicyRule[] => {
    const rule = schema.safeParse(one);
    if (!rule.success) {
      const problem = problemsIn(rule.error.issues, one).problem;
      report(`a rule cannot be read: ${problem}`);
      return [...readablePart(one, problem)];
    }
    if (rule.data.verdict !== 'allow' || own) return [rule.data];
    report('a workspace rule allows calls and is ignored: workspace rules can only ask or deny');
    return [];
  });
}

const STRICTNESS: readonly PolicyVerdict[] = ['deny', 'ask', 'allow'];

/** The strictest rule that fits; nothing where none does. */
export function strictest(rules: readonly PolicyRule[], call: RuledCall): JudgingRule | undefined {
  const fitting = rules.filter((rule): rule is JudgingRule => rule.verdict !== 'person' && fits(rule, call));
  return STRICTNESS.map((verdict) => fitting.find((rule) => rule.verdict === verdict)).find((rule) => rule);
}

/** A rule about whether a call runs. */
type JudgingRule = PolicyRule & { readonly verdict: PolicyVerdict };

/** Whether a rule wants a person to answer what a tool asks. */
export function isForPerson(rules: readonly PolicyRule[], { name, def }: AskingTool): boolean {
  const { server, tool = name, claims: annotations = def?.annotations ?? {} } = def?.foreign ?? {};
  const asking = { server, tool, annotations, params: {} };
  return rules.some((rule) => rule.verdict === 'person' && fits({ ...rule, arguments: undefined }, asking));
}

function fits(rule: PolicyRule, { server, tool, annotations, params, named }: RuledCall): boolean {
  const mayName = rule.tool !== undefined || rule.unreadable !== undefined;
  if (named && !mayName) return false;
  if (rule.server !== undefined && (server === undefined || !fitsPattern(rule.server, server))) return false;
  if (rule.tool !== undefined && !fitsPattern(rule.tool, tool)) return false;
  if (rule.annotation !== undefined && annotations[rule.annotation] !== true) return false;
  return Object.entries(rule.arguments ?? {}).every(
    ([name, pattern]) => Object.hasOwn(params, name) && fitsPattern(String(pattern), textOf(params[name])),
  );
}

function textOf(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}

/** The servers that rules are about, and that are none of these. */
export function serversMissed(rules: readonly PolicyRule[], servers: readonly string[]): readonly string[] {
  const named = new Set(rules.flatMap(({ server }) => (server === undefined ? [] : [server])));
  return [...named].filter((pattern) => !servers.some((server) => fitsPattern(pattern, server)));
}

/** The tools that rules name, and that are none of these. Of a server that is not there nobody knows which it has. */
export function toolsMissed(
  rules: readonly PolicyRule[],
  tools: readonly Pick<RuledCall, 'server' | 'tool'>[],
  servers: readonly string[],
): readonly string[] {
  const isThere = (server: string) => tools.some((one) => one.server === server);
  return rules.flatMap(({ server = '*', tool: name }) => {
    if (name === undefined) return [];
    const about = servers.filter((one) => fitsPattern(server, one));
    const isNamed = tools.some(
      (one) => fitsPattern(name, one.tool) && (server === '*' || fitsPattern(server, one.server ?? '')),
    );
    return isNamed || !about.every(isThere) ? [] : [name];
  });
}

/** A rule in words, for the transcript. */
export function ruleText({
  server,
  tool,
  annotation,
  arguments: args,
  verdict,
  unreadable,
}: PolicyRule): string {
  if (unreadable !== undefined)
    return `a rule of the setting parley.policy cannot be read and may be about it: ${unreadable}. Correct that rule first`;
  const parts = [
    ...(server === undefined ? [] : [`server ${server}`]),
    ...(tool === undefined ? [] : [`tool ${tool}`]),
    ...(annotation === undefined ? [] : [annotation]),
    ...Object.entries(args ?? {}).map(([name, pattern]) => `${name} = ${pattern}`),
  ];
  return `the rule “${verdict}${parts.length > 0 ? `: ${parts.join(', ')}` : ' everything'}”`;
}
