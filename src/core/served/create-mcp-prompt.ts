import * as z from 'zod';
import { ToolCodeError, ToolDefinitionError } from '../errors/definition-errors.ts';
import type { ListedFacts } from '../messages/icon.ts';
import type { JsonSchema } from '../messages/json.ts';
import { unended } from '../plugin/unended.ts';
import { defined } from '../schema/defined.ts';
import { isObject } from '../schema/is-object.ts';
import { jsonSchemaOf } from '../schema/json-schema-of.ts';
import type { InputOf, OutputOf, Schema } from '../schema/schema.ts';
import { isCoerced } from '../schema/schema-generation.ts';
import { compileElicits } from '../tool/compile-elicits.ts';
import type { ToolContext } from '../tool/context.ts';
import { createMcpTool } from '../tool/create-mcp-tool.ts';
import type { CheckedElicits, ElicitDeclarations } from '../tool/elicit.ts';
import type { AnyTool, ToolRequirements } from '../tool/tool.ts';
import { checkAbout, checkCode, checkRequires, checkText, checkToolName } from '../tool/tool-checks.ts';
import type { Completer } from './completion.ts';
import type { Prompt, PromptArgument, PromptCode, PromptMessage, PromptResult } from './prompt.ts';
import { checkCompleters, promptMessages } from './served-checks.ts';

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
function otherSteps(at: string, next: GoesOn): object {
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

/** Prompt arguments are text: clients show a field for each and send strings. */
type TextArguments<S> =
  InputOf<S> extends Readonly<Record<string, string | undefined>>
    ? unknown
    : 'the arguments of a prompt are text: z.object({ … }) of z.string() and z.enum([…]), optional or not';

/** A prompt of which only the name is known. */
export interface PromptStart<Name extends string> {
  /** What the prompt is for, as people read it where they choose one. */
  description(text: string): PromptDescribed<Name>;
}

/** A prompt that has its description; what it takes comes next. */
export interface PromptDescribed<Name extends string> {
  /** What people call the prompt. */
  title(text: string): PromptDescribed<Name>;
  /** Icons and `_meta`, for clients that know what to make of them. JSON. */
  about(facts: ListedFacts): PromptDescribed<Name>;
  /** What it takes: an object of strings. */
  arguments<S extends Schema>(
    schema: S & TextArguments<S>,
  ): PromptWithArguments<Name, OutputOf<S>, keyof InputOf<S>>;
}

/** A prompt whose arguments are known; its questions come next, then its messages. */
export interface PromptWithArguments<Name extends string, Args, Key> {
  /** Suggests values while a person fills in the arguments. */
  completes(completers: { readonly [K in Key & string]?: Completer }): PromptWithArguments<Name, Args, Key>;
  /** What the client must be able to do. */
  requires(requirements: ToolRequirements): PromptWithArguments<Name, Args, Key>;
  /** What the prompt may ask the user before it says anything; `{}` for nothing. */
  elicits<const E extends ElicitDeclarations>(
    declarations: E & CheckedElicits<E>,
  ): PromptReady<Name, Args, E>;
}

/** A prompt that lacks only its code. */
export interface PromptReady<Name extends string, Args, E extends ElicitDeclarations> {
  /** The prompt's code: gives its messages. It runs as a call, with all that a tool can do. */
  messages(code: PromptCode<Args, ToolContext<E>>): Prompt<Name, Args>;
}

interface Draft {
  readonly name: string;
  readonly description: string;
  readonly title: string | undefined;
  readonly about: ListedFacts;
  readonly schema: Schema;
  readonly arguments: readonly PromptArgument[];
  readonly completers: Readonly<Record<string, Completer>>;
  readonly requires: ToolRequirements;
  readonly elicits: ElicitDeclarations;
}

/**
 * Defines a prompt, the way `createMcpTool` defines a tool.
 *
 * @throws `ToolDefinitionError` for a name or a schema that cannot go on the wire.
 *
 * @example
 * export const review = createMcpPrompt('review_code')
 *   .description('Reviews a file')
 *   .arguments(z.object({ language: z.string() }))
 *   .completes({ language: ['typescript', 'python'] })
 *   .elicits({})
 *   .messages(function* ({ language }) {
 *     return `Review this ${language} code.`;
 *   });
 */
export function createMcpPrompt<const Name extends string>(name: Name): PromptStart<Name> {
  checkToolName(name, 'prompt');
  return {
    ...unended(`prompt '${name}'`, '.messages()'),
    ...otherSteps(`prompt '${name}'`, 'description'),
    description: (text) => {
      const description = checkText(`prompt '${name}'`, 'description', text);
      return described({ name, description, title: undefined, about: {} });
    },
  };
}

function described<Name extends string>(
  facts: Pick<Draft, 'description' | 'title' | 'about'> & { readonly name: Name },
): PromptDescribed<Name> {
  const at = `prompt '${facts.name}'`;
  return Object.freeze({
    ...unended(at, '.messages()'),
    ...otherSteps(at, 'arguments'),
    title: (title: string) => described({ ...facts, title: checkText(at, 'title', title) }),
    about: (about: ListedFacts) => described({ ...facts, about: checkAbout(at, about) }),
    arguments: <S extends Schema>(schema: S & TextArguments<S>) =>
      withArguments<Name, OutputOf<S>, keyof InputOf<S>>({
        ...facts,
        schema,
        arguments: argumentsOf(at, schema),
        completers: {},
        requires: {},
        elicits: {},
      }),
  });
}

function withArguments<Name extends string, Args, Key>(draft: Draft): PromptWithArguments<Name, Args, Key> {
  const at = `prompt '${draft.name}'`;
  const names = draft.arguments.map(({ name }) => name);
  return Object.freeze({
    ...unended(at, '.messages()'),
    ...otherSteps(at, 'elicits'),
    completes: (completers: Readonly<Record<string, Completer | undefined>>) =>
      withArguments<Name, Args, Key>({ ...draft, completers: checkCompleters(at, completers, names) }),
    requires: (requires: ToolRequirements) =>
      withArguments<Name, Args, Key>({ ...draft, requires: checkRequires(at, requires) }),
    elicits: <const E extends ElicitDeclarations>(elicits: E & CheckedElicits<E>) => {
      compileElicits(at, elicits);
      return Object.freeze({
        ...unended(at, '.messages()'),
        ...otherSteps(at, 'messages'),
        messages: (code: PromptCode<Args, ToolContext<E>>) =>
          finish({ ...draft, elicits }, code as PromptCode<never, never>) as Prompt<Name, Args>,
      });
    },
  });
}

function finish(draft: Draft, code: PromptCode<never, never>): Prompt {
  checkCode(`prompt '${draft.name}'`, 'messages', code);
  const run = code as unknown as PromptCode<unknown, ToolContext>;
  const tool: AnyTool = createMcpTool(draft.name)
    .description(draft.description)
    .parameters(draft.schema as Schema<Record<string, string>>)
    .about(draft.about)
    .requires(draft.requires)
    .elicits(draft.elicits as Record<never, never>)
    .execute(function* (args, ctx) {
      return normalise(draft.name, yield* run(args, ctx as unknown as ToolContext));
    });
  return Object.freeze({
    kind: 'parley.prompt' as const,
    name: draft.name,
    def: Object.freeze({
      name: draft.name,
      description: draft.description,
      title: draft.title,
      arguments: draft.arguments,
      completers: draft.completers,
      tool,
    }),
  });
}

function normalise(
  name: string,
  result: PromptResult,
): { description?: string; messages: readonly PromptMessage[] } {
  if (typeof result === 'string') {
    return { messages: [{ role: 'user', content: { type: 'text', text: result } }] };
  }
  const given = isObject(result) ? result : { messages: result };
  if (Array.isArray(given.messages)) return { ...given, messages: promptMessages(name, given.messages) };
  throw new ToolCodeError({
    toolName: name,
    problem: 'it gave no messages: return a text, a list of messages, or { messages }',
  });
}

const Fields = z.object({
  properties: z.optional(
    z.record(
      z.string(),
      z.looseObject({
        title: z.optional(z.string()),
        description: z.optional(z.string()),
        type: z.optional(z.unknown()),
      }),
    ),
  ),
  required: z.optional(z.array(z.string())),
});

/** What a prompt takes. @throws `ToolDefinitionError` for what a client could not send: it has a text for each */
function argumentsOf(at: string, schema: Schema): readonly PromptArgument[] {
  const json: JsonSchema = jsonSchemaOf(schema, 'input', `the arguments of ${at}`);
  const fields = Fields.safeParse(json);
  if (json.type !== 'object' || !fields.success) {
    throw new ToolDefinitionError(`the arguments of ${at} are no object: wrap the schema in z.object({ … })`);
  }
  const { properties = {}, required = [] } = fields.data;
  return Object.entries(properties).map(([argument, { title, description, type }]) => {
    const isText = type === undefined || [type].flat().includes('string');
    if (isText || isCoerced(schema, argument)) {
      return { name: argument, ...defined({ title, description }), required: required.includes(argument) };
    }
    throw new ToolDefinitionError(
      `the arguments of ${at} are texts, and '${argument}' is not: use z.string() or z.enum([…]), and read it in the code`,
    );
  });
}
