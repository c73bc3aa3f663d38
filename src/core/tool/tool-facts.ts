import type { Operation } from 'effection';
import * as z from 'zod/mini';
import type { JsonObject } from '../messages/json.ts';
import { isObject } from '../schema/is-object.ts';
import type { ToolContext } from './context.ts';
import type { AnyTool, ToolDefinition, ToolFacts } from './tool.ts';
import {
  ACCEPTS,
  checkAbout,
  checkAnnotations,
  checkDurable,
  checkEditor,
  checkLimits,
  checkRequires,
  checkTask,
  checkText,
} from './tool-checks.ts';

/** All that is known of a fact. */
interface Fact<Step extends (...said: never) => unknown> {
  /** What the definition has of it. @throws `ToolDefinitionError` for what no tool can be */
  readonly check: (at: string, ...said: Parameters<Step>) => ReturnType<Step>;
  /** Where its step is left out. */
  readonly unsaid: ReturnType<Step>;
  /** It comes from a tool in another realm so, or is not there. */
  readonly data: z.ZodMiniType;
}

const flag = z.optional(z.boolean());
const number = z.optional(z.number());
const nothing = Object.freeze({});

function text(step: string) {
  return {
    check: (at: string, said: string) => checkText(at, step, said),
    unsaid: undefined,
    data: z.optional(z.string()),
  };
}

/** What a tool may say of itself. A fact that is forgotten here does not compile; steps, definitions and realms follow from it. */
export const TOOL_FACTS = {
  summary: text('summary'),
  annotations: {
    check: checkAnnotations,
    unsaid: nothing,
    data: z.object({
      title: z.optional(z.string()),
      readOnlyHint: flag,
      destructiveHint: flag,
      idempotentHint: flag,
      openWorldHint: flag,
    }),
  },
  title: text('title'),
  icon: text('icon'),
  about: {
    check: (at, about) => checkAbout(at, about),
    unsaid: nothing,
    data: z.object({
      icons: z.optional(z.array(z.looseObject({ src: z.string() }))),
      _meta: z.optional(z.custom<JsonObject>(isObject, 'must be a JSON object')),
    }),
  },
  editor: {
    check: checkEditor,
    unsaid: nothing,
    data: z.object({
      tags: z.optional(z.array(z.string())),
      reference: z.optional(z.string()),
      accepts: z.optional(z.array(z.enum(ACCEPTS))),
      mends: flag,
    }),
  },
  requires: {
    check: checkRequires,
    unsaid: nothing,
    data: z.object({
      elicitation: z.optional(z.union([z.boolean(), z.object({ form: flag, url: flag })])),
      sampling: z.optional(z.union([z.boolean(), z.object({ tools: z.boolean() })])),
      roots: flag,
      editor: flag,
    }),
  },
  limits: {
    check: checkLimits,
    unsaid: nothing,
    data: z.object({ timeout: number, maxDepth: number, maxTokens: number }),
  },
  durable: {
    check: checkDurable,
    unsaid: undefined,
    data: z.optional(z.object({ forks: z.boolean(), undo: z.exactOptional(z.literal('on failure')) })),
  },
  task: {
    check: checkTask,
    unsaid: undefined,
    data: z.optional(z.object({ required: z.boolean(), asksFirst: z.boolean() })),
  },
} satisfies { readonly [Step in keyof ToolFacts]: Fact<ToolFacts[Step]> };

/** One part of each fact. */
export function eachFact<Part extends keyof Fact<never>>(part: Part) {
  const parts = Object.entries(TOOL_FACTS).map(([step, fact]) => [step, fact[part]]);
  // `fromEntries` forgets which is whose.
  return Object.fromEntries(parts) as {
    readonly [Step in keyof ToolFacts]: (typeof TOOL_FACTS)[Step][Part];
  };
}

/** The definition of a tool that says nothing about itself. */
export const UNSAID = Object.freeze({
  ...eachFact('unsaid'),
  description: '',
  output: undefined,
  elicits: nothing,
}) satisfies Omit<ToolDefinition, 'name' | 'parameters' | 'body'>;

/** A tool that stands for another one: it is called by that one's name, and nobody lists it. */
export function unlistedTool(
  facts: Pick<ToolDefinition, 'name' | 'description' | 'parameters'>,
  execute: (params: unknown, ctx: ToolContext) => Operation<unknown>,
): AnyTool {
  const def: ToolDefinition = { ...UNSAID, ...facts, body: { kind: 'execute', execute } };
  return { kind: 'parley.tool', name: def.name, def };
}
