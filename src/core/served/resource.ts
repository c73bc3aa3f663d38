import type { Operation } from 'effection';
import type { Icon } from '../messages/icon.ts';
import type { AnyTool } from '../tool/tool.ts';
import type { Completer } from './completion.ts';
import type { MatchBudget } from './match-parts.ts';

/** Hints for clients that choose what to show or send. Source: MCP "Resources", `Annotations`. */
export interface ResourceAnnotations {
  readonly audience?: ReadonlyArray<'user' | 'assistant'>;
  /** From 0 to 1. */
  readonly priority?: number;
  /** ISO 8601. */
  readonly lastModified?: string;
}

export type { Icon } from '../messages/icon.ts';

/** A resource as clients list it. */
export interface ResourceInfo {
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  readonly annotations?: ResourceAnnotations;
  /** Bytes. */
  readonly size?: number;
  readonly icons?: readonly Icon[];
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** A template as clients list it. */
export interface ResourceTemplateInfo extends Omit<ResourceInfo, 'uri' | 'size'> {
  readonly uriTemplate: string;
}

/** What a resource holds: `text`, or base64 in `blob`. */
export interface ResourceContents {
  readonly uri: string;
  readonly mimeType?: string;
  readonly text?: string;
  readonly blob?: string;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** What a resource's code gives: text, bytes, or the contents of several resources, as of a folder. */
export type ResourceResult = string | Uint8Array | readonly ResourceContents[];

/** Runs while a client is subscribed to the resource; calls `changed` whenever it may read differently. */
export type Watch = (uri: string, changed: () => void) => Operation<void>;

/** Everything about a resource, as data. `tool` is how it is read: a call like any other, which may ask. */
export interface ResourceDefinition {
  readonly info: ResourceInfo;
  readonly watch: Watch | undefined;
  readonly tool: AnyTool;
}

/** A resource: frozen data made by `createMcpResource`. */
export interface Resource {
  readonly kind: 'parley.resource';
  readonly def: ResourceDefinition;
}

/** Everything about a resource template, as data. */
export interface ResourceTemplateDefinition {
  readonly info: ResourceTemplateInfo;
  readonly completers: Readonly<Record<string, Completer>>;
  /** The resources of this template that clients list. */
  readonly list: (() => Operation<readonly ResourceInfo[]>) | undefined;
  readonly watch: Watch | undefined;
  readonly tool: AnyTool;
  /** The variables of a URI that the template makes; `undefined` for any other URI. Templates that one URI is held against share a budget. */
  match(uri: string, budget?: MatchBudget): Readonly<Record<string, string>> | undefined;
}

/** A resource template: frozen data made by `createMcpResourceTemplate`. */
export interface ResourceTemplate {
  readonly kind: 'parley.resource-template';
  readonly def: ResourceTemplateDefinition;
}
