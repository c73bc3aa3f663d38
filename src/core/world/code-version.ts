import type { AnyTool } from '../tool/tool.ts';

const VERSIONS = new WeakMap<AnyTool, string>();

/**
 * Notes what a tool is made of: a hash that changes with its code. The code that loads a tool from a file knows it. A call that cannot go on
 * where it was says whether the tool's code has changed since.
 */
export function noteCodeVersion(tool: AnyTool, version: string | undefined): void {
  if (version !== undefined) VERSIONS.set(tool, version);
}

/** What a tool is made of; nothing where nobody knows. */
export function codeVersionOf(tool: AnyTool): string | undefined {
  return VERSIONS.get(tool);
}
