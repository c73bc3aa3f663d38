const vscode = require('vscode');
const { answer, title } = require('./answer.cjs');
const { readRequest } = require('./request.cjs');

const model = (id, name) => ({
  id,
  name,
  family: id,
  version: '1',
  detail: 'Offline, scripted',
  maxInputTokens: 200_000,
  maxOutputTokens: 16_000,
  capabilities: { toolCalling: true, imageInput: true },
});

const models = [model('demo', 'Parley Demo'), model('demo-mini', 'Parley Demo Mini')];

/** Errors the way a real provider reports them. */
const errors = {
  NotFound: (message) => vscode.LanguageModelError.NotFound(message),
  NoPermissions: (message) => vscode.LanguageModelError.NoPermissions(message),
  Blocked: (message) => vscode.LanguageModelError.Blocked(message),
  quota: (message) => Object.assign(new vscode.LanguageModelError(message), { name: 'ChatQuotaExceeded' }),
  rateLimited: (message) =>
    Object.assign(new vscode.LanguageModelError(message), { name: 'ChatRateLimited' }),
  other: (message) => new Error(message),
};

/** A provider that says what its script has next, and what `answer` makes of the request otherwise; a chat gets its title at any time. */
exports.createProvider = (script) => ({
  provideLanguageModelChatInformation: () => models,

  async provideLanguageModelChatResponse(asked, messages, options, progress, token) {
    const request = readRequest(asked, messages, options);
    const entry = script.note(request);
    try {
      // Titles are asked for in their own time: a script that one of them used up would leave the conversation without its line.
      await speak(title(request) ?? script.next(request) ?? answer(request), progress, token);
      entry.state = 'done';
    } catch (error) {
      entry.state = token.isCancellationRequested ? 'cancelled' : 'failed';
      throw error;
    }
  },

  async provideTokenCount(_asked, text) {
    const length = typeof text === 'string' ? text.length : JSON.stringify(text.content).length;
    return Math.ceil(length / 4);
  },
});

/** @param reply `{ text?, toolCalls?: [{ name, input, callId? }], error?: kind, message?, hang?, delay? }` */
async function speak(reply, progress, token) {
  const delay = reply.delay ?? vscode.workspace.getConfiguration('parleyDemo').get('delay', 15);
  for (const part of inParts(reply.text ?? '')) {
    await pause(delay, token);
    progress.report(new vscode.LanguageModelTextPart(part));
  }
  for (const call of reply.toolCalls ?? []) {
    await pause(delay, token);
    progress.report(new vscode.LanguageModelToolCallPart(call.callId ?? nextCallId(), call.name, call.input));
  }
  if (reply.hang) await pause(2 ** 31 - 1, token);
  if (reply.error) {
    const make = errors[reply.error] ?? errors.other;
    throw make(reply.message ?? `The demo model was told to fail (${reply.error}).`);
  }
}

/** A few words each; together they are the text again. */
const inParts = (text) => text.match(/(\S+\s*){1,3}|\s+/g) ?? [];

let calls = 0;
const nextCallId = () => `demo_call_${++calls}`;

function pause(milliseconds, token) {
  return new Promise((resolve, reject) => {
    if (token.isCancellationRequested) return reject(new vscode.CancellationError());
    const end = (settle) => {
      clearTimeout(timer);
      listening.dispose();
      settle();
    };
    const timer = setTimeout(() => end(resolve), milliseconds);
    const listening = token.onCancellationRequested(() => end(() => reject(new vscode.CancellationError())));
  });
}
