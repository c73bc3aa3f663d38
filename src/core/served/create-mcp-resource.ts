import type { Operation } from 'effection';
import * as z from 'zod';
import type { ToolContext } from '../tool/context.ts';
import type { CheckedElicits, ElicitDeclarations } from '../tool/elicit.ts';
import type { ToolRequirements } from '../tool/tool.ts';
import { checkAbout, checkCode } from '../tool/tool-checks.ts';
import type { Completer } from './completion.ts';
import { readingTool } from './reading-tool.ts';
import type {
  Icon,
  Resource,
  ResourceAnnotations,
  ResourceInfo,
  ResourceResult,
  ResourceTemplate,
  ResourceTemplateInfo,
  Watch,
} from './resource.ts';
import { compileUriTemplate, type VariableOf } from './uri-template.ts';

/** What a resource or a template may say about itself, beside its description. */
export interface ResourceFacts {
  /** The last segment of the URI by default. */
  readonly name?: string;
  readonly title?: string;
  readonly mimeType?: string;
  readonly annotations?: ResourceAnnotations;
  /** Bytes; not for templates. */
  readonly size?: number;
  readonly icons?: readonly Icon[];
  /** For clients that know what it says. */
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** A resource while it is built. */
export interface ResourceBuilder<E extends ElicitDeclarations> {
  /** Name, title, MIME type and so on. */
  about(facts: ResourceFacts): ResourceBuilder<E>;
  /** What the client must be able to do. */
  requires(requirements: ToolRequirements): ResourceBuilder<E>;
  /** What reading may ask the user. */
  elicits<const D extends ElicitDeclarations>(declarations: D & CheckedElicits<D>): ResourceBuilder<D>;
  /** Runs while somebody is subscribed; call `changed` whenever the resource may read differently. */
  watch(watch: Watch): ResourceBuilder<E>;
  /** The code that reads it: runs as a call, with all that a tool can do. */
  read(code: (uri: string, ctx: ToolContext<E>) => Operation<ResourceResult>): Resource;
}

/** A template while it is built. */
export interface ResourceTemplateBuilder<Variable extends string, E extends ElicitDeclarations> {
  about(facts: Omit<ResourceFacts, 'size'>): ResourceTemplateBuilder<Variable, E>;
  requires(requirements: ToolRequirements): ResourceTemplateBuilder<Variable, E>;
  elicits<const D extends ElicitDeclarations>(
    declarations: D & CheckedElicits<D>,
  ): ResourceTemplateBuilder<Variable, D>;
  /** Suggests values for variables. */
  completes(completers: { readonly [K in Variable]?: Completer }): ResourceTemplateBuilder<Variable, E>;
  /** The resources of this template that clients list. */
  lists(list: () => Operation<readonly ResourceInfo[]>): ResourceTemplateBuilder<Variable, E>;
  watch(watch: Watch): ResourceTemplateBuilder<Variable, E>;
  read(
    code: (
      variables: { readonly [K in Variable]: string },
      ctx: ToolContext<E>,
      uri: string,
    ) => Operation<ResourceResult>,
  ): ResourceTemplate;
}

interface Draft {
  readonly uri: string;
  readonly description: string;
  readonly facts: ResourceFacts;
  readonly requires: ToolRequirements;
  readonly elicits: ElicitDeclarations;
  readonly watch: Watch | undefined;
  readonly completers: Readonly<Record<string, Completer | undefined>>;
  readonly list: (() => Operation<readonly ResourceInfo[]>) | undefined;
}

function draftOf(uri: string, description: string): Draft {
  return {
    uri,
    description,
    facts: {},
    requires: {},
    elicits: {},
    watch: undefined,
    completers: {},
    list: undefined,
  };
}

/**
 * Defines a resource: something clients can list, read and subscribe to.
 *
 * @example
 * export const changelog = createMcpResource('app://changelog', 'What changed, newest first')
 *   .about({ mimeType: 'text/markdown' })
 *   .read(function* () {
 *     return '# 1.0.0';
 *   });
 */
export function createMcpResource(uri: string, description: string): ResourceBuilder<Record<never, never>> {
  return resourceBuilder(draftOf(uri, description));
}

function resourceBuilder<E extends ElicitDeclarations>(draft: Draft): ResourceBuilder<E> {
  const next = (change: Partial<Draft>) => resourceBuilder<E>({ ...draft, ...change });
  return Object.freeze<ResourceBuilder<E>>({
    about: (facts) => next({ facts: factsWith(draft, facts) }),
    requires: (requires) => next({ requires }),
    elicits: (elicits) => resourceBuilder({ ...draft, elicits }),
    watch: (watch) => next({ watch }),
    read: (code) => {
      const { uri, description, watch } = draft;
      checkCode(`resource '${uri}'`, 'read', code);
      const info: ResourceInfo = { uri, name: lastSegment(uri), description, ...draft.facts };
      const tool = readingTool({
        ...draft,
        info,
        parameters: z.object({ uri: z.string() }),
        read: ({ uri: asked }, ctx) => code(asked ?? uri, ctx as unknown as ToolContext<E>),
      });
      return Object.freeze({ kind: 'parley.resource' as const, def: Object.freeze({ info, watch, tool }) });
    },
  });
}

/**
 * Defines a template: a family of resources whose URIs have variables, `{name}` for one segment and `{+name}` for the
 * rest. @throws `ToolDefinitionError` for a template that clients could not fill in.
 *
 * @example
 * export const user = createMcpResourceTemplate('app://users/{id}', 'One user')
 *   .completes({ id: ['ada', 'grace'] })
 *   .read(function* ({ id }) {
 *     return `The user ${id}`;
 *   });
 */
export function createMcpResourceTemplate<const T extends string>(
  uriTemplate: T,
  description: string,
): ResourceTemplateBuilder<VariableOf<T>, Record<never, never>> {
  return templateBuilder(draftOf(uriTemplate, description));
}

function templateBuilder<V extends string, E extends ElicitDeclarations>(
  draft: Draft,
): ResourceTemplateBuilder<V, E> {
  const next = (change: Partial<Draft>) => templateBuilder<V, E>({ ...draft, ...change });
  return Object.freeze<ResourceTemplateBuilder<V, E>>({
    about: (facts) => next({ facts: factsWith(draft, facts) }),
    requires: (requires) => next({ requires }),
    elicits: (elicits) => templateBuilder({ ...draft, elicits }),
    completes: (completers) =>
      next({ completers: completers as Readonly<Record<string, Completer | undefined>> }),
    lists: (list) => next({ list }),
    watch: (watch) => next({ watch }),
    read: (code) => {
      const { uri: uriTemplate, description, watch, list, completers } = draft;
      checkCode(`resource '${uriTemplate}'`, 'read', code);
      const { variables, match } = compileUriTemplate(uriTemplate);
      const { size: _size, ...facts } = draft.facts;
      const info: ResourceTemplateInfo = {
        uriTemplate,
        name: lastSegment(uriTemplate),
        description,
        ...facts,
      };
      const tool = readingTool({
        ...draft,
        info: { ...info, uri: uriTemplate },
        parameters: z.object(Object.fromEntries(['uri', ...variables].map((name) => [name, z.string()]))),
        read: (params, ctx) =>
          code(
            params as { readonly [K in V]: string },
            ctx as unknown as ToolContext<E>,
            params.uri ?? uriTemplate,
          ),
      });
      return Object.freeze({
        kind: 'parley.resource-template' as const,
        def: Object.freeze({ info, completers: defined(completers), list, watch, tool, match }),
      });
    },
  });
}

/** What is said of it so far. @throws `ToolDefinitionError` for icons or `_meta` that no client could read */
function factsWith({ uri, facts: before }: Draft, facts: ResourceFacts): ResourceFacts {
  checkAbout(`resource '${uri}'`, facts);
  return { ...before, ...facts };
}

function lastSegment(uri: string): string {
  return /([^/{}]+)[/{}]*$/.exec(uri)?.[1] ?? uri;
}

function defined<T>(record: Readonly<Record<string, T | undefined>>): Readonly<Record<string, T>> {
  return Object.fromEntries(
    Object.entries(record).filter((entry): entry is [string, T] => entry[1] !== undefined),
  );
}
