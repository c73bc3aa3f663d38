import type { FormJsonSchema } from '../../../core/form/form-schema.ts';
import type { JsonObject, JsonValue } from '../../../core/messages/json.ts';
import type { AnyTool } from '../../../core/tool/tool.ts';
import type { ElicitAsk } from '../../../runtime/session/ask.ts';
import type { Translate } from '../notices/explain.ts';
import { type Say, wordsIn } from './shipped-texts.ts';
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
      if ((key === 'description' || key === 'action') && typeof value === 'string') return [key, say(value)];
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
  const [, label] = /^Add a comment on “(.*)”$/s.exec(title) ?? [];
  return label === undefined ? title : t('Add a comment on “{0}”', label);
}
