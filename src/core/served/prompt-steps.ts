import { ToolDefinitionError } from '../errors/definition-errors.ts';

/** The steps of `createMcpPrompt(name)`: each of these goes on to the next, after those that may come before it. */
const STEPS = {
  description: [],
  arguments: ['title', 'about'],
  elicits: ['completes', 'requires'],
  messages: [],
} as const;

type GoesOn = keyof typeof STEPS;

const ORDER = Object.keys(STEPS) as GoesOn[];

/** The steps that a prompt has not where `next` goes on: types do not have them, and to others they say what comes first. */
export function otherSteps(at: string, next: GoesOn): object {
  const refused = (step: string, why: string) => [
    step,
    () => {
      throw new ToolDefinitionError(`${at}: ${why}`);
    },
  ];
  const here = ORDER.indexOf(next);
  return Object.fromEntries(
    ORDER.flatMap((goesOn, index) => {
      if (index === here) return [];
      return [goesOn, ...STEPS[goesOn]].map((step) => {
        if (index > here) return refused(step, `call .${next}() before .${step}()`);
        if (step === goesOn) return refused(step, `.${step}() was called before: each step is given once`);
        return refused(step, `call .${step}() before .${goesOn}()`);
      });
    }),
  );
}
