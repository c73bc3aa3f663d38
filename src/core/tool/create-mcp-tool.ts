import { ToolDefinitionError } from '../errors/definition-errors.ts';
import { type Unended, unended } from '../plugin/unended.ts';
import { jsonSchemaOf } from '../schema/json-schema-of.ts';
import type { Schema } from '../schema/schema.ts';
import { compileElicits } from './compile-elicits.ts';
import type { ElicitDeclarations } from './elicit.ts';
import type { Phases, Tool, ToolBody, ToolDefinition, ToolFacts } from './tool.ts';
import type { NewDraft, ToolBuilder } from './tool-builder.ts';
import { checkCode, checkPhases, checkText, checkToolName } from './tool-checks.ts';
import { eachFact, UNSAID } from './tool-facts.ts';
import { type StepName, stepRefusal } from './tool-steps.ts';

/**
 * Starts a tool: frozen data with a name, schemas and one generator. See {@link ToolBuilder} for the steps.
 *
 * @param name what clients call it; letters, digits, `_` and `-`, at most 64.
 * @throws `ToolDefinitionError` here and at each step, for what cannot be a tool.
 *
 * @example
 * const greet = createMcpTool('greet')
 *   .description('Greets the user by name.')
 *   .parameters(z.object({ greeting: z.string() }))
 *   .elicits({ who: z.object({ name: z.string() }) })
 *   .execute(function* ({ greeting }, ctx) {
 *     const answer = yield* ctx.elicit('who', { message: 'What is your name?' });
 *     return answer.action === 'accept' ? `${greeting}, ${answer.content.name}` : 'nobody to greet';
 *   });
 */
export function createMcpTool<const Name extends string>(name: Name): ToolBuilder<NewDraft<Name>> {
  checkToolName(name);
  const draft: DraftDefinition = { ...UNSAID, name, parameters: undefined };
  // The only place where the steps' types and their code meet.
  return steps(draft, new Set()) as unknown as ToolBuilder<NewDraft<Name>>;
}

type DraftDefinition = Omit<ToolDefinition, 'body' | 'parameters'> & {
  readonly parameters: ToolDefinition['parameters'] | undefined;
};

function steps(draft: DraftDefinition, done: ReadonlySet<StepName>) {
  const at = `tool '${draft.name}'`;

  const check = (step: StepName) => {
    const refusal = stepRefusal(step, done);
    if (refusal !== undefined) throw new ToolDefinitionError(`${at}: ${refusal}`);
  };
  const next = (step: StepName, change: () => Partial<DraftDefinition>) => {
    check(step);
    return steps({ ...draft, ...change() }, new Set([...done, step]));
  };
  const finish = (step: StepName, body: () => ToolBody): Tool => {
    check(step);
    const { parameters } = draft;
    if (parameters === undefined)
      throw new ToolDefinitionError(`${at}: call .parameters() before .${step}()`);
    const def: ToolDefinition = Object.freeze({ ...draft, parameters, body: Object.freeze(body()) });
    return Object.freeze({ kind: 'parley.tool', name: def.name, def });
  };

  const facts = Object.fromEntries(
    Object.entries<(at: string, said: never) => unknown>(eachFact('check')).map(([name, check]) => {
      const step = name as keyof ToolFacts;
      return [step, (said: never) => next(step, () => ({ [step]: check(at, said) }))];
    }),
  ) as Record<keyof ToolFacts, unknown>;

  // A step without code does not compile.
  return Object.freeze({
    ...unended(at, '.execute() or .handoff()'),
    ...facts,
    description: (text: string) =>
      next('description', () => ({ description: checkText(at, 'description', text) })),
    parameters: (schema: Schema) =>
      next('parameters', () => {
        const json = jsonSchemaOf(schema, 'input', `the parameters of ${at}`);
        if (json.type !== 'object') {
          throw new ToolDefinitionError(
            `the parameters of ${at}: parameters are an object: wrap the schema in z.object({ … })`,
          );
        }
        return { parameters: Object.freeze({ schema, json }) };
      }),
    output: (schema: Schema) =>
      next('output', () => ({
        output: Object.freeze({ schema, json: jsonSchemaOf(schema, 'output', `the output of ${at}`) }),
      })),
    elicits: (declarations: ElicitDeclarations) =>
      next('elicits', () => ({ elicits: compileElicits(at, declarations) })),
    execute: (run: Extract<ToolBody, { kind: 'execute' }>['execute']) =>
      finish('execute', () => ({ kind: 'execute', execute: checkCode(at, 'execute', run) })),
    handoff: (phases: Phases) =>
      finish('handoff', () => ({ kind: 'handoff', phases: checkPhases(at, phases) })),
  } satisfies Record<StepName, unknown> & Unended);
}
