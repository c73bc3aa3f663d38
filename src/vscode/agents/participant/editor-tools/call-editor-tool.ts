import { type Operation, scoped } from 'effection';
import * as vscode from 'vscode';
import { fromThenable, useCancellation } from '../../../bridge.ts';
import type { LmPart } from '../../../calls/sampler/parts.ts';
import { fromVscodePart } from '../../../calls/sampler/to-vscode.ts';
import type { CallEditorTool } from './editor-tool.ts';
import { textOfPrompt } from './result-blocks.ts';

/** Calls tools of the editor for one turn of the chat, which shows each call, and asks whether it may run. */
export function callEditorTools(turn: vscode.ChatParticipantToolToken): CallEditorTool {
  return (name, input): Operation<readonly LmPart[]> =>
    scoped(function* () {
      const token = yield* useCancellation(vscode.CancellationTokenSource);
      const options = { input, toolInvocationToken: turn };
      const { content } = yield* fromThenable(vscode.lm.invokeTool(name, options, token));
      return content.map(partOf).filter((part) => part !== undefined);
    });
}

function partOf(part: unknown): LmPart | undefined {
  if (part instanceof vscode.LanguageModelPromptTsxPart) {
    return { type: 'text', text: textOfPrompt(part.value) };
  }
  return fromVscodePart(part);
}
