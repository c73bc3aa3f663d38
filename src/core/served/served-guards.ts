import { ToolDefinitionError } from '../errors/definition-errors.ts';
import type { AnyPrompt } from './prompt.ts';
import type { Resource, ResourceTemplate } from './resource.ts';

/** The prompt. @throws `ToolDefinitionError` for anything else, as for a builder that was not ended */
export function asPrompt(value: unknown): AnyPrompt {
  if (isPrompt(value)) return value;
  throw new ToolDefinitionError('this is no prompt: end createMcpPrompt(…) with .messages()');
}

/** The resource. @throws `ToolDefinitionError` for anything else, as for a builder that was not ended */
export function asResource(value: unknown): Resource | ResourceTemplate {
  if (isResource(value)) return value;
  throw new ToolDefinitionError(
    'this is no resource: end createMcpResource(…) or createMcpResourceTemplate(…) with .read()',
  );
}

/** Whether a value says that it is of this kind. */
export function isKind(value: unknown, kind: string): boolean {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === kind;
}

/** Whether a value is a prompt, made by whichever copy of Parley. */
export function isPrompt(value: unknown): value is AnyPrompt {
  return isKind(value, 'parley.prompt');
}

/** Whether a value is a resource or a resource template, made by whichever copy of Parley. */
export function isResource(value: unknown): value is Resource | ResourceTemplate {
  return isKind(value, 'parley.resource') || isKind(value, 'parley.resource-template');
}
