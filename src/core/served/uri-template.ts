import { ToolDefinitionError } from '../errors/definition-errors.ts';
import { type MatchBudget, matchBudget, matchParts, type TemplatePart } from './match-parts.ts';

/** The names of a template's variables. */
export type VariableOf<T extends string> = T extends `${string}{${infer V}}${infer Rest}`
  ? (V extends `+${infer Name}` ? Name : V) | VariableOf<Rest>
  : never;

/** A template of resource addresses, ready to match them. */
export interface UriTemplate {
  readonly variables: readonly string[];
  /** The decoded variables of a URI that the template makes; `undefined` for any other. */
  match(uri: string, budget?: MatchBudget): Readonly<Record<string, string>> | undefined;
}

/** Longer URIs match nothing. */
const MAX_URI = 8192;

/** More variables than anybody fills in: what matching costs rises with them. */
const MAX_VARIABLES = 50;

const EXPRESSION = /\{(\+?)([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** Whether an address has something to fill in. */
export function hasGaps(uri: string): boolean {
  return uri.search(EXPRESSION) >= 0;
}

/**
 * Compiles a URI template: `{name}` takes one segment, which decoded is one as well; `{+name}` takes the rest, slashes and
 * `..` included. These two are what clients can fill in; other operators of RFC 6570 are refused.
 *
 * @throws `ToolDefinitionError`
 */
export function compileUriTemplate(template: string): UriTemplate {
  if (typeof template !== 'string') throw refused(String(template), 'it is no text');
  const variables: string[] = [];
  const parts: TemplatePart[] = [];
  let end = 0;
  for (const found of template.matchAll(EXPRESSION)) {
    const [whole, plus, name = ''] = found;
    if (variables.includes(name)) throw refused(template, `the variable '${name}' appears twice`);
    if (variables.length === MAX_VARIABLES) {
      throw refused(template, `it has more than ${MAX_VARIABLES} variables`);
    }
    variables.push(name);
    parts.push(...literal(template.slice(end, found.index)), { takes: plus ? 'rest' : 'segment' });
    end = found.index + whole.length;
  }
  parts.push(...literal(template.slice(end)));
  if (/[{}]/.test(template.replace(EXPRESSION, ''))) {
    throw refused(template, 'only {name} and {+name} are understood');
  }
  if (variables.length === 0) throw refused(template, 'it has no variable; use createMcpResource');
  const takes = parts.flatMap((part) => ('takes' in part ? [part.takes] : []));
  return {
    variables,
    match(uri, budget = matchBudget()) {
      const found = uri.length <= MAX_URI ? matchParts(parts, uri, budget) : undefined;
      if (!found) return undefined;
      const values: Record<string, string> = {};
      for (const [index, name] of variables.entries()) {
        const value = decode(found[index] ?? '');
        if (value === undefined || !(takes[index] === 'rest' || isSegment(value))) return undefined;
        values[name] = value;
      }
      return values;
    },
  };
}

function literal(text: string): readonly TemplatePart[] {
  return text === '' ? [] : [{ literal: text }];
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Whether decoded text is still one segment: authors join it to paths, where `..%2f..%2fx` would lead elsewhere. */
function isSegment(value: string): boolean {
  return value !== '.' && value !== '..' && !/[/\\\0]/.test(value);
}

function refused(template: string, why: string): Error {
  return new ToolDefinitionError(`the resource template '${template}' cannot be used: ${why}`);
}
