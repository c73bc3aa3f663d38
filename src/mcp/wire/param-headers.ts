import type { IncomingHttpHeaders } from 'node:http';
import type { JsonSchema } from '../../core/messages/json.ts';
import { isObject } from '../../core/schema/is-object.ts';
import { META } from './meta.ts';

/** What clients repeat in a header of the request, so that a gateway can route by it. */
export interface ParamHeader {
  /** Where it is: for a parameter, in the arguments. */
  readonly path: readonly string[];
  /** The header, in lower case. */
  readonly header: string;
  /** Compared as a number rather than as text. */
  readonly numeric?: boolean;
  /** Never wrapped. */
  readonly plain?: true;
}

/** What a request is about, by its method. */
const NAMES: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
};

/** What every request repeats. Source: MCP 2026-07-28, "Streamable HTTP", standard headers; SEP-2663 for tasks. */
export function standardHeadersOf(method: string): readonly ParamHeader[] {
  const name = Object.hasOwn(NAMES, method) ? NAMES[method] : undefined;
  return [
    { path: ['params', '_meta', META.protocolVersion], header: 'mcp-protocol-version', plain: true },
    { path: ['method'], header: 'mcp-method', plain: true },
    ...(name ? [{ path: ['params', name], header: 'mcp-name' }] : []),
  ];
}

/** Source: RFC 9110, 5.1, "token". */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

const TYPES: ReadonlySet<unknown> = new Set(['string', 'integer', 'boolean']);

const known = new WeakMap<JsonSchema, readonly ParamHeader[]>();

/**
 * The parameters that a tool's input schema marks with `x-mcp-header`. Only those that a chain of `properties` leads to
 * count; clients leave out tools that are marked elsewhere. Source: MCP 2026-07-28, "Streamable HTTP", custom headers.
 */
export function paramHeadersOf(schema: JsonSchema): readonly ParamHeader[] {
  const headers = known.get(schema) ?? find(schema, []);
  known.set(schema, headers);
  return headers;
}

function find(schema: unknown, path: readonly string[]): readonly ParamHeader[] {
  if (!isObject(schema)) return [];
  const { 'x-mcp-header': name, type, properties } = schema;
  const own =
    path.length > 0 && typeof name === 'string' && TOKEN.test(name) && TYPES.has(type)
      ? [{ path, header: `mcp-param-${name.toLowerCase()}`, numeric: type === 'integer' }]
      : [];
  const inner = isObject(properties) ? Object.entries(properties) : [];
  return [...own, ...inner.flatMap(([key, one]) => find(one, [...path, key]))];
}

/** What is wrong with the headers of a request, as a sentence; `undefined` when they say what it says itself. */
export function headerMismatch(
  wanted: readonly ParamHeader[],
  body: unknown,
  headers: IncomingHttpHeaders,
): string | undefined {
  for (const { path, header, numeric, plain } of wanted) {
    const value = valueAt(body, path);
    // What is left out has no header; one that cannot have any is for the schema to refuse.
    if (!['string', 'number', 'boolean'].includes(typeof value)) continue;
    const given = headers[header];
    const where = `'${path.join('.')}' of the request`;
    if (typeof given !== 'string') return `the header ${header} is missing, and ${where} is not`;
    const text = plain ? given : decode(given);
    if (text === undefined) return `the header ${header} is no valid Base64 of UTF-8`;
    const same = numeric && DECIMAL.test(text) ? Number(text) === value : text === String(value);
    if (!same) return `the header ${header} does not say what ${where} says`;
  }
  return undefined;
}

const DECIMAL = /^-?\d+(\.\d+)?$/;

function valueAt(args: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (node, key) => (isObject(node) && Object.hasOwn(node, key) ? node[key] : undefined),
    args,
  );
}

const WRAPPED = /^=\?base64\?(.*)\?=$/;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The text of a header: as it is, or wrapped as Base64. `undefined` when what is wrapped is none. */
function decode(value: string): string | undefined {
  const wrapped = WRAPPED.exec(value)?.[1];
  if (wrapped === undefined) return value;
  const bytes = Buffer.from(wrapped, 'base64');
  // Node reads whatever looks like Base64; only the one spelling counts.
  if (bytes.toString('base64') !== wrapped) return undefined;
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}
