import type { Operation } from 'effection';
import type { Offer } from '../core/plugin/offer.ts';
import type { AnyTool } from '../core/tool/tool.ts';
import { declare } from './declarations/declare.ts';
import { createExecuteCode, type ExecuteCode } from './execute-code.ts';
import type { CodeTools } from './run/code-tools.ts';
import type { CodeEngine } from './sandbox/engine.ts';

/** A catalogue as code: the tool that runs it, and what it reads of each tool. */
export interface CodeMode {
  tool(tools: CodeTools): Offer;
  declare(tool: AnyTool): string;
}

/** What code mode is made of. */
export interface CodeModeOptions {
  /** What runs code; loaded with the first that is run. */
  engine(): Operation<CodeEngine>;
  /** Whether the person answers in the editor, whatever the client that calls could answer. */
  readonly inEditor?: boolean;
  /** The tool with what answers its questions, where views are shown. */
  plugin?(tool: ExecuteCode): Offer;
}

/** Code mode for a server of tools. */
export function createCodeMode({ plugin = (tool) => tool, ...parts }: CodeModeOptions): CodeMode {
  return { tool: (tools) => plugin(createExecuteCode({ ...parts, tools })), declare };
}
