import type { Operation } from 'effection';
import { ToolCodeError } from '../errors/definition-errors.ts';
import type { Schema } from '../schema/schema.ts';
import type { ToolContext } from '../tool/context.ts';
import { createMcpTool } from '../tool/create-mcp-tool.ts';
import type { ElicitDeclarations } from '../tool/elicit.ts';
import type { AnyTool, ToolRequirements } from '../tool/tool.ts';
import type { ResourceContents, ResourceInfo, ResourceResult } from './resource.ts';
import { resourceContents } from './served-checks.ts';

/** What it takes to read a resource as a call. */
export interface Reading {
  readonly info: ResourceInfo;
  readonly parameters: Schema<Record<string, string>>;
  readonly requires: ToolRequirements;
  readonly elicits: ElicitDeclarations;
  read(params: Readonly<Record<string, string>>, ctx: ToolContext): Operation<ResourceResult>;
}

/** The tool that reads a resource; its result is a list of {@link ResourceContents}. */
export function readingTool(reading: Reading): AnyTool {
  const { info, parameters, requires, elicits } = reading;
  return createMcpTool(toolNameOf(info.uri))
    .description(info.description ?? info.name)
    .parameters(parameters)
    .requires(requires)
    .elicits(elicits as Record<never, never>)
    .execute(function* (params, ctx) {
      const result = yield* reading.read(params, ctx as unknown as ToolContext);
      return contentsOf(params.uri ?? info.uri, info.mimeType, result);
    });
}

function contentsOf(
  uri: string,
  mimeType: string | undefined,
  result: ResourceResult,
): readonly ResourceContents[] {
  const type = mimeType === undefined ? {} : { mimeType };
  if (typeof result === 'string') return [{ uri, ...type, text: result }];
  if (result instanceof Uint8Array) return [{ uri, ...type, blob: base64(result) }];
  if (Array.isArray(result)) return resourceContents(uri, result);
  throw new ToolCodeError({
    toolName: uri,
    problem: 'it gave nothing to read: return a text, bytes (Uint8Array), or a list of contents',
  });
}

function base64(bytes: Uint8Array): string {
  let binary = '';
  for (let start = 0; start < bytes.length; start += 0x8000) {
    binary += String.fromCharCode(...bytes.subarray(start, start + 0x8000));
  }
  return btoa(binary);
}

/** Logs and errors name the call like this; a URI is not a tool name. */
function toolNameOf(uri: string): string {
  return `read_${uri.replace(/[^a-zA-Z0-9]+/g, '_')}`.slice(0, 64);
}
