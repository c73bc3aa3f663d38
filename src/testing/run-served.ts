import type { JsonObject } from '../core/messages/json.ts';
import type { AnyPrompt, PromptMessage } from '../core/served/prompt.ts';
import type { Resource, ResourceContents, ResourceTemplate } from '../core/served/resource.ts';
import { asPrompt, asResource } from '../core/served/served-guards.ts';
import type { Client } from '../runtime/session/client.ts';
import { type RunMcpToolOptions, runMcpTool } from './run-mcp-tool.ts';
import type { ToolRun } from './tool-run.ts';

/** What a prompt gives a client. */
export interface GivenPrompt {
  readonly description?: string;
  readonly messages: readonly PromptMessage[];
}

/**
 * Gets a prompt as a client does: its code runs as a call, and may ask.
 *
 * @example
 * const { messages } = await runMcpPrompt(review, { file: 'src/app.ts' });
 */
export function runMcpPrompt(
  prompt: AnyPrompt,
  args: Readonly<Record<string, string>> = {},
  client?: Client,
  options?: RunMcpToolOptions,
): ToolRun<GivenPrompt> {
  return runMcpTool(asPrompt(prompt).def.tool, args as JsonObject, client, options) as ToolRun<GivenPrompt>;
}

/**
 * Reads a resource, or one of a template, as a client does.
 *
 * @throws when the URI is not the resource's, or none that the template makes
 * @example
 * const [contents] = await readMcpResource(notes, 'notes://today');
 */
export function readMcpResource(
  resource: Resource | ResourceTemplate,
  uri: string,
  client?: Client,
  options?: RunMcpToolOptions,
): ToolRun<readonly ResourceContents[]> {
  const variables = variablesOf(asResource(resource), uri);
  const params = { ...variables, uri } as JsonObject;
  return runMcpTool(resource.def.tool, params, client, options) as ToolRun<readonly ResourceContents[]>;
}

function variablesOf(resource: Resource | ResourceTemplate, uri: string): Readonly<Record<string, string>> {
  if (resource.kind === 'parley.resource') {
    if (resource.def.info.uri === uri) return {};
    throw new Error(`The resource is '${resource.def.info.uri}', not '${uri}'.`);
  }
  const variables = resource.def.match(uri);
  if (variables) return variables;
  throw new Error(`'${uri}' is no URI of the template '${resource.def.info.uriTemplate}'.`);
}
