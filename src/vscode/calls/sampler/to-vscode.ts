import * as vscode from 'vscode';
import type { LmMessage, LmPart, LmRequest } from './parts.ts';

/** A message as an object of `vscode.lm`. */
export function toVscodeMessage(message: LmMessage): vscode.LanguageModelChatMessage {
  const role =
    message.role === 'assistant'
      ? vscode.LanguageModelChatMessageRole.Assistant
      : vscode.LanguageModelChatMessageRole.User;
  return new vscode.LanguageModelChatMessage(role, message.parts.map(toVscodePart));
}

/** The options of a request. Without tools there is no tool mode either. */
export function toVscodeOptions(
  request: LmRequest,
  justification: string,
): vscode.LanguageModelChatRequestOptions {
  const toolMode =
    request.toolMode === 'required'
      ? vscode.LanguageModelChatToolMode.Required
      : vscode.LanguageModelChatToolMode.Auto;
  return {
    justification,
    modelOptions: { ...request.modelOptions },
    ...(request.tools.length > 0 ? { tools: [...request.tools], toolMode } : {}),
  };
}

/** A part as ours; `undefined` for kinds that are none of our business (a model's thinking, its usage). */
export function fromVscodePart(part: unknown): LmPart | undefined {
  if (part instanceof vscode.LanguageModelTextPart) return { type: 'text', text: part.value };
  if (part instanceof vscode.LanguageModelToolCallPart) {
    return { type: 'call', id: part.callId, name: part.name, input: part.input };
  }
  if (part instanceof vscode.LanguageModelDataPart) {
    return { type: 'data', bytes: part.data, mimeType: part.mimeType };
  }
  if (part instanceof vscode.LanguageModelToolResultPart) {
    return {
      type: 'result',
      id: part.callId,
      content: part.content.flatMap((one) => fromVscodePart(one) ?? []),
    };
  }
  return undefined;
}

/** A part as an object of `vscode.lm`. */
export function toVscodePart(part: LmPart): vscode.LanguageModelInputPart {
  switch (part.type) {
    case 'text':
      return new vscode.LanguageModelTextPart(part.text);
    case 'data':
      return new vscode.LanguageModelDataPart(part.bytes, part.mimeType);
    case 'call':
      return new vscode.LanguageModelToolCallPart(part.id, part.name, part.input);
    case 'result':
      return new vscode.LanguageModelToolResultPart(part.id, part.content.map(toVscodePart));
  }
}
