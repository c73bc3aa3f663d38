import { CallDeniedError } from '../../core/errors/call-errors.ts';
import type { CallPolicy, JudgedCall } from './call-policy.ts';
import { isForPerson, type PolicyRule, ruleText, strictest } from './rules.ts';

/**
 * A policy of rules alone, for a server without a person at it: the strictest rule that fits counts, and where none does it says
 * nothing. Code asks its own caller where a rule asks; all other calls are denied then, for nobody is there to ask.
 *
 * @example
 * yield* CallPolicyContext.set(rulesPolicy([{ tool: 'delete_*', verdict: 'deny' }]));
 */
export function rulesPolicy(rules: readonly PolicyRule[]): CallPolicy {
  const ruleFor = ({ tool: { name, def }, params, named }: JudgedCall) => {
    const { server, tool = name, claims = def.annotations } = def.foreign ?? {};
    return strictest(rules, { server, tool, annotations: claims, params, named });
  };
  return {
    namesOwn: () => rules.length > 0,
    *decide(call) {
      const rule = ruleFor(call);
      if (!rule) return undefined;
      const { verdict, annotation } = rule;
      return { verdict, why: ruleText(rule), believed: verdict === 'allow' ? annotation : undefined };
    },
    *ask(call) {
      const rule = ruleFor(call);
      const why = rule ? ruleText(rule) : 'a rule asks about it';
      throw new CallDeniedError({ toolName: call.tool.name, why: `${why}, and no user is available to ask` });
    },
    *forPerson(tool) {
      return isForPerson(rules, tool);
    },
  };
}
