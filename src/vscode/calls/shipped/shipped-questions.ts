import type { FormJsonSchema } from '../../../core/form/form-schema.ts';
import type { JsonObject, JsonValue } from '../../../core/messages/json.ts';
import type { AnyTool } from '../../../core/tool/tool.ts';
import type { ElicitAsk } from '../../../runtime/session/ask.ts';
import type { Translate } from '../notices/explain.ts';
import { isShipped } from './shipped-words.ts';

/**
 * A question as the person reads it: what tools that come with Parley say in it, in the language of the editor. What a model or
 * a client is asked stays as the tool says it, and so do the values that answer it. What an agent gave as the title of its questions
 * stands above them.
 */
export function shownAsk(tool: AnyTool, ask: ElicitAsk, t: Translate, params?: unknown): ElicitAsk {
  const { request } = ask;
  if (!isShipped(tool) || request.mode === 'url') return ask;
  const say = tool.name === 'ask_user' ? keep : wordsIn(t);
  const requestedSchema = shown(request.requestedSchema, say, t) as FormJsonSchema;
  const message = tool.name === 'ask_user' ? headed(request.message, params) : say(request.message);
  return { ...ask, request: { ...request, message, requestedSchema } };
}

function headed(message: string, params: unknown): string {
  const { title } = (params ?? {}) as { readonly title?: unknown };
  const isTitled =
    typeof title === 'string' && /^[^\n]*\S[^\n]*$/.test(title) && message.startsWith(`${title}\n\n`);
  return isTitled ? `# ${message.trimStart()}` : message;
}

/** The parameters of a tool that comes with Parley, in the same way. */
export function shownParameters(tool: AnyTool, t: Translate): JsonObject {
  const schema = tool.def.parameters.json as JsonObject;
  return isShipped(tool) ? (shown(schema, wordsIn(t), t) as JsonObject) : schema;
}

type Say = (text: string) => string;

/** What an agent asks is in the words of the agent. */
const keep: Say = (text) => text;

function shown(schema: JsonValue | undefined, say: Say, t: Translate): JsonValue | undefined {
  if (Array.isArray(schema)) return schema.map((one) => shown(one, say, t) ?? null);
  if (typeof schema !== 'object' || schema === null) return schema;
  // Lists were taken above; the compiler does not see it of readonly ones.
  const node = schema as JsonObject;
  const isNote = 'noteOn' in node;
  return Object.fromEntries(
    Object.entries(named(node, say)).map(([key, value]) => {
      if (key === 'title' && typeof value === 'string')
        return [key, isNote ? noteTitle(value, t) : say(value)];
      if (key === 'description' && typeof value === 'string') return [key, say(value)];
      if (key === 'enumNames') return [key, value];
      return [key, VALUES.has(key) ? value : shown(value, say, t)];
    }),
  );
}

/** Choices by what people call them, where that is not what answers the question. */
function named(schema: JsonObject, say: Say): JsonObject {
  const names = schema.enumNames ?? schema.enum;
  if (!Array.isArray(names)) return schema;
  const said = names.map((name) => (typeof name === 'string' ? say(name) : name));
  const same = schema.enumNames === undefined && said.every((name, at) => name === names[at]);
  return same ? schema : { ...schema, enumNames: said };
}

/** What is no text for people. */
const VALUES = new Set(['default', 'const', 'enum', 'required']);

function noteTitle(title: string, t: Translate): string {
  const [, label] = /^Add something about “(.*)”$/s.exec(title) ?? [];
  return label === undefined ? title : t('Add something about “{0}”', label);
}

/** Says a text of a shipped tool in the editor's language; any other as it is. */
function wordsIn(t: Translate): Say {
  const texts = new Map(Object.entries(textsIn(t)));
  const say: Say = (text) => {
    const known = texts.get(text);
    if (known !== undefined) return known;
    const [, problem = '', branch] = /^(.*)Choose what to commit on (.*)$/s.exec(text) ?? [];
    if (branch !== undefined) return problem + t('Choose what to commit on {0}', branch);
    const [, files] = /^Commit (.+)$/s.exec(text) ?? [];
    if (files !== undefined) return t('Commit {0}', files);
    const [, named, purpose] = /^This looks as if it held secrets: (.*)\. (A model .*)$/s.exec(text) ?? [];
    if (named === undefined || purpose === undefined) return text;
    return t('This looks as if it held secrets: {0}. {1}', named, say(purpose));
  };
  return say;
}

/** By what the tools say. */
function textsIn(t: Translate): Readonly<Record<string, string>> {
  return {
    Title: t('Title'),
    'A short heading.': t('A short heading.'),
    Document: t('Document'),
    'The document, as Markdown.': t('The document, as Markdown.'),
    'Your decision': t('Your decision'),
    Approve: t('Approve'),
    'Send back': t('Send back'),
    Comments: t('Comments'),
    'The line, a colon, and what you have to say: 3: too early': t(
      'The line, a colon, and what you have to say: 3: too early',
    ),
    'Keep as it is': t('Keep as it is'),
    'Lines, such as 3 or 5-8': t('Lines, such as 3 or 5-8'),
    'Anything else': t('Anything else'),
    'The text': t('The text'),
    'Change what you want changed': t('Change what you want changed'),
    'Is this what should be done?': t('Is this what should be done?'),
    Files: t('Files'),
    'Paths to suggest, relative to the root of the repository.': t(
      'Paths to suggest, relative to the root of the repository.',
    ),
    '“all”, “staged”, or their numbers, such as 1, 3-5': t(
      '“all”, “staged”, or their numbers, such as 1, 3-5',
    ),
    Message: t('Message'),
    'The message to suggest: one line that says what, then, after a blank line, why.': t(
      'The message to suggest: one line that says what, then, after a blank line, why.',
    ),
    Repository: t('Repository'),
    'Folder of the repository, by name or path, where the workspace has several.': t(
      'Folder of the repository, by name or path, where the workspace has several.',
    ),
    'Several repositories have changes. Where do you want to commit?': t(
      'Several repositories have changes. Where do you want to commit?',
    ),
    Subject: t('Subject'),
    'What the commit does, in one line': t('What the commit does, in one line'),
    Body: t('Body'),
    'Why, if the subject does not say': t('Why, if the subject does not say'),
    'Let the model read these, too': t('Let the model read these, too'),
    'Without it the model does without them.': t('Without it the model does without them.'),
    'A model is about to draft the message of the commit.': t(
      'A model is about to draft the message of the commit.',
    ),
    'A model is about to read these files whole, to mend their problems.': t(
      'A model is about to read these files whole, to mend their problems.',
    ),
    File: t('File'),
    'A file, relative to its workspace folder. Without it: the whole workspace.': t(
      'A file, relative to its workspace folder. Without it: the whole workspace.',
    ),
    'At least': t('At least'),
    'Problems at least this bad.': t('Problems at least this bad.'),
    error: t('Error'),
    warning: t('Warning'),
    information: t('Information'),
    'What to do with this edit': t('What to do with this edit'),
    accept: t('Accept'),
    skip: t('Skip'),
    accept_rest: t('Accept it and all that follow'),
    skip_rest: t('Skip it and all that follow'),
    Kitchen: t('Kitchen'),
    Thai: t('Thai'),
    Italian: t('Italian'),
    'Surprise me': t('Surprise me'),
    People: t('People'),
    'Outside, if it does not rain': t('Outside, if it does not rain'),
    'This tool has stopped in the middle, to ask you. What would you like to eat?': t(
      'This tool has stopped in the middle, to ask you. What would you like to eat?',
    ),
  };
}
