import * as z from 'zod/mini';
import type { JsonObject } from '../../core/messages/json.ts';
import type { ToolAnnotations } from '../../core/tool/tool.ts';
import type { PolicyVerdict } from './call-policy.ts';
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
}

/** When all that it names fits, `verdict` is what becomes of the call. In names and values, `*` stands for anything. */
export interface PolicyRule {
  readonly server?: string | undefined;
  readonly tool?: string | undefined;
  /** A hint that the server gives and says is true. */
  readonly annotation?: 'readOnlyHint' | 'destructiveHint' | 'idempotentHint' | 'openWorldHint' | undefined;
  /** Argument → what its value reads like; values that are no text, as JSON. */
  readonly arguments?: Readonly<Record<string, string>> | undefined;
  readonly verdict: PolicyVerdict;
}

/** Made when settings are read: what imports this is loaded with the first call. */
const ruleSchema = () =>
  z.strictObject({
    server: z.optional(z.string()),
    tool: z.optional(z.string()),
    annotation: z.optional(z.enum(['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'])),
    arguments: z.optional(z.record(z.string(), z.string())),
    verdict: z.enum(['allow', 'ask', 'deny']),
  });

/** A rule that cannot be read may have been meant to forbid anything: so everything is asked about. */
const UNREADABLE: PolicyRule = { verdict: 'ask' };

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
      report(`a rule cannot be read, so every call is asked about: ${z.prettifyError(rule.error)}`);
      return [UNREADABLE];
    }
    if (rule.data.verdict !== 'allow' || own) return [rule.data];
    report('a rule of the workspace allows calls: it is not read, for a workspace can only narrow');
    return [];
  });
}

const STRICTNESS: readonly PolicyVerdict[] = ['deny', 'ask', 'allow'];

/** The strictest rule that fits; nothing where none does. */
export function strictest(rules: readonly PolicyRule[], call: RuledCall): PolicyRule | undefined {
  const fitting = rules.filter((rule) => fits(rule, call));
  return STRICTNESS.map((verdict) => fitting.find((rule) => rule.verdict === verdict)).find((rule) => rule);
}

function fits(rule: PolicyRule, { server, tool, annotations, params }: RuledCall): boolean {
  if (rule.server !== undefined && (server === undefined || !fitsPattern(rule.server, server))) return false;
  if (rule.tool !== undefined && !fitsPattern(rule.tool, tool)) return false;
  if (rule.annotation !== undefined && annotations[rule.annotation] !== true) return false;
  return Object.entries(rule.arguments ?? {}).every(
    ([name, pattern]) => Object.hasOwn(params, name) && fitsPattern(pattern, textOf(params[name])),
  );
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The servers that rules are about, and that are none of these. */
export function serversMissed(rules: readonly PolicyRule[], servers: readonly string[]): readonly string[] {
  const named = new Set(rules.flatMap(({ server }) => (server === undefined ? [] : [server])));
  return [...named].filter((pattern) => !servers.some((server) => fitsPattern(pattern, server)));
}

/** A rule in words, for the transcript. */
export function ruleText({ server, tool, annotation, arguments: args, verdict }: PolicyRule): string {
  const parts = [
    ...(server === undefined ? [] : [`server ${server}`]),
    ...(tool === undefined ? [] : [`tool ${tool}`]),
    ...(annotation === undefined ? [] : [annotation]),
    ...Object.entries(args ?? {}).map(([name, pattern]) => `${name} = ${pattern}`),
  ];
  return `the rule “${verdict}${parts.length > 0 ? `: ${parts.join(', ')}` : ' everything'}”`;
}
