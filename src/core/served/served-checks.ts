import { ToolCodeError, ToolDefinitionError } from '../errors/definition-errors.ts';
import { isContentBlock } from '../messages/result-content.ts';
import { isObject } from '../schema/is-object.ts';
import { isAsync } from '../tool/is-async.ts';
import { checkAbout, knownFields } from '../tool/tool-checks.ts';
import type { Completer } from './completion.ts';
import type { PromptMessage } from './prompt.ts';
import type { ResourceContents, ResourceInfo } from './resource.ts';

/*
 * What the types of prompts and resources say already, for files of plain JavaScript. A client that cannot read one thing of a list
 * reads none of it.
 */

/** Completers by name, without those that are undefined. @throws `ToolDefinitionError` for one of nothing, or one that is none */
export function checkCompleters(
  at: string,
  given: Readonly<Record<string, Completer | undefined>>,
  names: readonly string[],
): Readonly<Record<string, Completer>> {
  const completers: Record<string, Completer> = {};
  for (const [name, completer] of Object.entries(knownFields(at, 'completes', given, names))) {
    if (completer === undefined) continue;
    const isList = Array.isArray(completer) && completer.every((one) => typeof one === 'string');
    if (!isList && (typeof completer !== 'function' || isAsync(completer))) {
      throw new ToolDefinitionError(
        `${at}: .completes() takes a list of texts for '${name}', or a generator function that gives one`,
      );
    }
    completers[name] = completer;
  }
  return Object.freeze(completers);
}

const TEXTS = ['name', 'title', 'mimeType'] as const;

/** @throws `ToolDefinitionError` for what a resource cannot say of itself, or nobody would hear of */
export function checkFacts(at: string, facts: object): void {
  checkAbout(at, facts, [...TEXTS, 'annotations', 'size']);
  const known: Readonly<Record<string, unknown>> = { ...facts };
  for (const name of TEXTS) {
    if (known[name] !== undefined && typeof known[name] !== 'string') throw unfit(at, name, 'a text');
  }
  const { size, annotations } = known;
  if (size !== undefined && !(typeof size === 'number' && size >= 0))
    throw unfit(at, 'size', 'a number of bytes');
  if (annotations !== undefined) checkHints(at, annotations);
}

const AUDIENCE: readonly unknown[] = ['user', 'assistant'];

function checkHints(at: string, annotations: unknown): void {
  if (!isObject(annotations)) throw unfit(at, 'annotations', 'an object');
  const { audience, priority, lastModified } = annotations;
  if (
    audience !== undefined &&
    !(Array.isArray(audience) && audience.every((one) => AUDIENCE.includes(one)))
  ) {
    throw unfit(at, 'annotations.audience', "a list of 'user' and 'assistant'");
  }
  if (priority !== undefined && !(typeof priority === 'number' && priority >= 0 && priority <= 1)) {
    throw unfit(at, 'annotations.priority', 'a number from 0 to 1');
  }
  if (lastModified !== undefined && typeof lastModified !== 'string') {
    throw unfit(at, 'annotations.lastModified', 'a time as text');
  }
}

function unfit(at: string, field: string, wanted: string): Error {
  return new ToolDefinitionError(`${at}: .about() takes ${field} as ${wanted}`);
}

/** @throws `ToolDefinitionError` for what is no address */
export function checkAddress(uri: unknown): asserts uri is string {
  if (typeof uri === 'string' && /^[a-z][a-z0-9+.-]*:\S+$/i.test(uri)) return;
  throw new ToolDefinitionError(
    `'${String(uri)}' cannot be the address of a resource: begin it with a scheme, such as 'notes://today'`,
  );
}

/** The messages that a prompt gave. @throws `ToolCodeError` for the first that is none */
export function promptMessages(name: string, messages: readonly unknown[]): readonly PromptMessage[] {
  const wrong = messages.findIndex(
    (one) =>
      !(isObject(one) && (one.role === 'user' || one.role === 'assistant') && isContentBlock(one.content)),
  );
  if (wrong < 0) return messages as readonly PromptMessage[];
  throw new ToolCodeError({
    toolName: name,
    problem: `what it gave as message number ${wrong + 1} is none: a message is { role: 'user' or 'assistant', content: { type: 'text', text } }, or with another content block`,
  });
}

/** The contents that a resource gave. @throws `ToolCodeError` for the first that are none */
export function resourceContents(uri: string, contents: readonly unknown[]): readonly ResourceContents[] {
  const wrong = contents.findIndex(
    (one) =>
      !(
        isObject(one) &&
        typeof one.uri === 'string' &&
        (typeof one.text === 'string' || typeof one.blob === 'string')
      ),
  );
  if (wrong < 0) return contents as readonly ResourceContents[];
  throw new ToolCodeError({
    toolName: uri,
    problem: `what it gave as contents number ${wrong + 1} are none: contents are { uri, text }, or { uri, blob } with base64`,
  });
}

/** The resources that a template lists. @throws `ToolCodeError` for the first that no client could list */
export function checkListed(uriTemplate: string, listed: readonly unknown[]): readonly ResourceInfo[] {
  if (!Array.isArray(listed))
    throw new ToolCodeError({
      toolName: uriTemplate,
      problem: '.lists() gave no list: return [{ uri, name }, …]',
    });
  const wrong = listed.findIndex(
    (one) => !(isObject(one) && typeof one.uri === 'string' && typeof one.name === 'string'),
  );
  if (wrong < 0) return listed;
  throw new ToolCodeError({
    toolName: uriTemplate,
    problem: `.lists() gave as number ${wrong + 1} what is no resource: { uri, name }`,
  });
}
