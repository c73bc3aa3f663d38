import type { Operation } from 'effection';
import * as z from 'zod';
import { ToolDefinitionError } from '../errors/definition-errors.ts';
import { type Unended, unended } from '../plugin/unended.ts';
import { compileElicits } from '../tool/compile-elicits.ts';
import type { ToolContext } from '../tool/context.ts';
import type { CheckedElicits, ElicitDeclarations } from '../tool/elicit.ts';
import type { ToolRequirements } from '../tool/tool.ts';
import { checkCode, checkRequires, checkText } from '../tool/tool-checks.ts';
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
import { checkAddress, checkCompleters, checkFacts, checkListed } from './served-checks.ts';
import { compileUriTemplate, hasGaps, type UriTemplate, type VariableOf } from './uri-template.ts';

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
  /** Runs while a client is subscribed; call `changed` whenever the resource may read differently. */
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
  readonly completers: Readonly<Record<string, Completer>>;
  readonly list: (() => Operation<readonly ResourceInfo[]>) | undefined;
}

function draftOf(uri: string, description: string): Draft {
  if (description !== undefined) checkText(`resource '${uri}'`, 'description', description);
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
 * @throws `ToolDefinitionError` for what is no address, and at each step for what nobody could read
 *
 * @example
 * export const changelog = createMcpResource('app://changelog', 'What changed, newest first')
 *   .about({ mimeType: 'text/markdown' })
 *   .read(function* () {
 *     return '# 1.0.0';
 *   });
 */
export function createMcpResource(uri: string, description: string): ResourceBuilder<Record<never, never>> {
  checkAddress(uri);
  if (hasGaps(uri)) {
    throw new ToolDefinitionError(`the resource '${uri}' has a variable: use createMcpResourceTemplate`);
  }
  return resourceAt(uri, description);
}

/** The same, at an address that a caller gave. */
export function resourceAt(uri: string, description: string): ResourceBuilder<Record<never, never>> {
  return resourceBuilder(draftOf(uri, description));
}

function resourceBuilder<E extends ElicitDeclarations>(draft: Draft): ResourceBuilder<E> {
  const next = (change: Partial<Draft>) => resourceBuilder<E>({ ...draft, ...change });
  const at = `resource '${draft.uri}'`;
  return Object.freeze<ResourceBuilder<E> & Unended>({
    ...unended(at, '.read()'),
    about: (facts) => next({ facts: factsWith(draft, facts) }),
    requires: (requires) => next({ requires: checkRequires(at, requires) }),
    elicits: (elicits) => {
      compileElicits(at, elicits);
      return resourceBuilder({ ...draft, elicits });
    },
    watch: (watch) => next({ watch: checkCode(at, 'watch', watch) }),
    read: (code) => {
      const { uri, description, watch } = draft;
      checkCode(at, 'read', code);
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
  return templateBuilder(draftOf(uriTemplate, description), compileUriTemplate(uriTemplate));
}

function templateBuilder<V extends string, E extends ElicitDeclarations>(
  draft: Draft,
  template: UriTemplate,
): ResourceTemplateBuilder<V, E> {
  const next = (change: Partial<Draft>) => templateBuilder<V, E>({ ...draft, ...change }, template);
  const { variables, match } = template;
  const at = `resource '${draft.uri}'`;
  return Object.freeze<ResourceTemplateBuilder<V, E> & Unended>({
    ...unended(at, '.read()'),
    about: (facts) => next({ facts: factsWith(draft, facts) }),
    requires: (requires) => next({ requires: checkRequires(at, requires) }),
    elicits: (elicits) => {
      compileElicits(at, elicits);
      return templateBuilder({ ...draft, elicits }, template);
    },
    completes: (completers) => next({ completers: checkCompleters(at, completers, variables) }),
    lists: (list) => {
      checkCode(at, 'lists', list);
      return next({ list: () => listedBy(draft.uri, list) });
    },
    watch: (watch) => next({ watch: checkCode(at, 'watch', watch) }),
    read: (code) => {
      const { uri: uriTemplate, description, watch, list, completers } = draft;
      checkCode(at, 'read', code);
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
        def: Object.freeze({ info, completers, list, watch, tool, match }),
      });
    },
  });
}

function* listedBy(
  uriTemplate: string,
  list: () => Operation<readonly ResourceInfo[]>,
): Operation<readonly ResourceInfo[]> {
  return checkListed(uriTemplate, yield* list());
}

/** What is said of it so far. @throws `ToolDefinitionError` for what no client could read */
function factsWith({ uri, facts: before }: Draft, facts: ResourceFacts): ResourceFacts {
  checkFacts(`resource '${uri}'`, facts);
  return { ...before, ...facts };
}

function lastSegment(uri: string): string {
  return /([^/{}]+)[/{}]*$/.exec(uri)?.[1] ?? uri;
}
