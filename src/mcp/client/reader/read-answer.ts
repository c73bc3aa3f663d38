import type { Tool } from '@modelcontextprotocol/client';
import { asLabel } from '../../../core/messages/label.ts';
import { defined } from '../../../core/schema/defined.ts';
import { isObject } from '../../../core/schema/is-object.ts';
import { issueWords } from '../../../core/schema/issue-words.ts';
import type { Json } from './read-message.ts';

/** What both are of: it is loaded with the first connection. */
export type Sdk = typeof import('@modelcontextprotocol/client');

/** Where a result carries what its server said, past the schemas of the SDK. */
const SAID = 'parley/said';

/** What stands for results whose content is read by us: the SDK refuses a whole result for one block that it does not know. */
const READ_BY_US: Readonly<Record<string, Json>> = {
  'tools/call': { content: [] },
  'prompts/get': { messages: [] },
  'resources/read': { contents: [], ttlMs: 0, cacheScope: 'private' },
  'completion/complete': { completion: { values: [] } },
};

/** Where the items of each list are, and what the SDK takes for one. */
const LISTS = {
  'tools/list': { items: 'tools', kind: 'Tool' },
  'prompts/list': { items: 'prompts', kind: 'Prompt' },
  'resources/list': { items: 'resources', kind: 'Resource' },
  'resources/templates/list': { items: 'resourceTemplates', kind: 'ResourceTemplate' },
} as const;

type Kind = (typeof LISTS)[keyof typeof LISTS]['kind'];

/** Whether a method asks for a list of what a server offers. */
export function isList(method: string): method is keyof typeof LISTS {
  return Object.hasOwn(LISTS, method);
}

/** The answer to a request as the SDK takes it in either era. One item that is none is left out of a list, with its reason. */
export function readAnswer(sdk: Sdk, method: string, result: Json, report: (problem: string) => void): Json {
  const { resultType } = result;
  if (resultType === 'input_required') return result;
  const skeleton = READ_BY_US[method];
  if (skeleton) return { resultType: 'complete', ...skeleton, _meta: { [SAID]: result } };
  const whole = { ...result, resultType: 'complete' };
  if (isList(method)) return { ...whole, ...cached(result), ...readList(sdk, method, result, report) };
  if (method === 'initialize')
    return { ...whole, ...readHandshake(result), serverInfo: readInfo(result.serverInfo) };
  if (method === 'server/discover') return { ...whole, ...cached(result), ...readHandshake(result) };
  return whole;
}

/** What the server said, of a result that came through {@link readAnswer}. */
export function saidIn(result: { readonly _meta?: Json | undefined }): Json {
  const said = result._meta?.[SAID];
  return isObject(said) ? said : {};
}

/** 2026-07-28 wants both; what they say is kept where it can be. */
function cached({ ttlMs, cacheScope }: Json): Json {
  const time = typeof ttlMs === 'number' && ttlMs >= 0 ? Math.floor(ttlMs) : 0;
  return { ttlMs: time, cacheScope: cacheScope === 'public' ? 'public' : 'private' };
}

function readHandshake({ capabilities, instructions }: Json): Json {
  return {
    // One that says nothing of what it has may have tools all the same.
    capabilities: isObject(capabilities) ? readCapabilities(capabilities) : { tools: {} },
    instructions: typeof instructions === 'string' ? instructions : undefined,
  };
}

function readCapabilities(capabilities: Json): Json {
  const entries = Object.entries(capabilities).map(([name, value]) => [name, value === true ? {} : value]);
  return Object.fromEntries(entries.filter(([, value]) => isObject(value)));
}

function readInfo(info: unknown): Json {
  const { name, version, title }: Json = isObject(info) ? info : {};
  return {
    name: String(name ?? ''),
    version: String(version ?? ''),
    ...(typeof title === 'string' ? { title } : {}),
  };
}

function readList(
  sdk: Sdk,
  method: keyof typeof LISTS,
  result: Json,
  report: (problem: string) => void,
): Json {
  const { items, kind } = LISTS[method];
  const { nextCursor } = result;
  const listed = result[items] ?? [];
  if (!Array.isArray(listed)) return {};
  return {
    // An empty one is no page: the SDK would ask for it again and again.
    nextCursor: typeof nextCursor === 'string' && nextCursor !== '' ? nextCursor : undefined,
    [items]: listed.flatMap((item: unknown) => {
      const read = readItem(sdk, kind, item);
      const name = isObject(item) && typeof item.name === 'string' ? ` ('${asLabel(item.name)}')` : '';
      if (read.problem !== undefined)
        report(
          `one of its ${items}${name} ${read.item ? 'is read in part' : 'is left out'}: ${read.problem}`,
        );
      return read.item ? [kind === 'Tool' ? withoutOutput(read.item) : read.item] : [];
    }),
  };
}

/** One item; of one with a member that is wrong and may be absent, what is left without it. */
function readItem(sdk: Sdk, kind: Kind, given: unknown): { readonly item?: Json; readonly problem?: string } {
  const item = isObject(given) ? filledIn(kind, given) : given;
  const issues = issuesOf(sdk, kind, item);
  const [issue] = issues;
  if (!issue && isObject(item)) return { item };
  const problem = issue ? issueText(issue) : 'it is none';
  const wrong = new Set(
    issues.map(({ path: [first] = [] }) => (typeof first === 'object' ? first.key : first)),
  );
  const rest =
    isObject(item) && Object.fromEntries(Object.entries(item).filter(([name]) => !wrong.has(name)));
  return rest && issuesOf(sdk, kind, rest).length === 0 ? { item: rest, problem } : { problem };
}

/** With what every item has to have, where the rest of it says that, too. */
function filledIn(kind: Kind, item: Json): Json {
  if (kind !== 'Tool')
    return { ...item, ...defined({ name: item.name ?? item.title ?? item.uri ?? item.uriTemplate }) };
  const { inputSchema = {} } = item;
  if (!isObject(inputSchema)) return item;
  const { type = 'object', properties, required, ...rest } = inputSchema;
  const isObjects = [type].flat().includes('object');
  return {
    ...item,
    inputSchema: {
      ...rest,
      ...(isObject(properties) ? { properties } : {}),
      ...(Array.isArray(required) ? { required } : {}),
      type: isObjects ? 'object' : type,
    },
  };
}

/** What a tool says of its results goes past the SDK: it would throw a text away that has no structured content beside it. */
function withoutOutput({ outputSchema, _meta, ...tool }: Json): Json {
  const meta = isObject(_meta) ? _meta : {};
  return { ...tool, _meta: outputSchema ? { ...meta, [SAID]: { outputSchema } } : meta };
}

/** A listed tool as its server lists it. */
export function listedTool({ _meta = {}, ...tool }: Tool): Tool {
  const { [SAID]: said, ...meta } = _meta;
  const outputSchema = isObject(said) && isObject(said.outputSchema) ? said.outputSchema : undefined;
  return { ...tool, ...defined({ outputSchema }), _meta: meta };
}

interface Issue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** What the SDK's schema has against a value. */
export function issuesOf(
  { specTypeSchemas }: Sdk,
  kind: Kind | 'ContentBlock',
  value: unknown,
): readonly Issue[] {
  const checked = specTypeSchemas[kind]['~standard'].validate(value);
  const { issues = [] } = checked instanceof Promise ? {} : checked;
  return issues.map((issue) => ({ ...issue, message: issueWords(issue, value) }));
}

/** What a schema has against a value, and where. */
export function issueText({ path, message }: Issue): string {
  if (!path?.length) return message;
  return `${path.map((step) => String(typeof step === 'object' ? step.key : step)).join('.')}: ${message}`;
}
