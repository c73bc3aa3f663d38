const vscode = require('vscode');

/** A request as plain data: what tests read back and what `answer` looks at. */
exports.readRequest = (model, messages, options) => ({
  model: model.id,
  messages: messages.map((message) => ({
    role: message.role === vscode.LanguageModelChatMessageRole.User ? 'user' : 'assistant',
    content: message.content.map(readPart),
  })),
  tools: (options.tools ?? []).map(({ name, description, inputSchema }) => ({
    name,
    description,
    inputSchema,
  })),
  toolMode: options.toolMode === vscode.LanguageModelChatToolMode.Required ? 'required' : 'auto',
  modelOptions: options.modelOptions ?? {},
});

function readPart(part) {
  if (part instanceof vscode.LanguageModelTextPart) return { type: 'text', text: part.value };
  if (part instanceof vscode.LanguageModelToolCallPart) {
    return { type: 'tool_use', id: part.callId, name: part.name, input: part.input };
  }
  if (part instanceof vscode.LanguageModelToolResultPart) {
    return { type: 'tool_result', id: part.callId, content: part.content.map(readPart) };
  }
  if (part instanceof vscode.LanguageModelDataPart) {
    return { type: 'data', mimeType: part.mimeType, bytes: part.data.byteLength };
  }
  return { type: 'other', text: typeof part?.value === 'string' ? part.value : '' };
}
