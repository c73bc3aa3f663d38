import { ToolDefinitionError } from '../errors/definition-errors.ts';

/** The names of a template's variables. */
export type VariableOf<T extends string> = T extends `${string}{${infer V}}${infer Rest}`
  ? (V extends `+${infer Name}` ? Name : V) | VariableOf<Rest>
  : never;

/** A compiled template. */
export interface UriTemplate {
  readonly variables: readonly string[];
  /** The decoded variables of a URI that the template makes; `undefined` for any other. */
  match(uri: string): Readonly<Record<string, string>> | undefined;
}

/** Longer URIs match nothing: `{+a}/{+b}` takes quadratic time. */
const MAX_URI = 8192;

const EXPRESSION = /\{(\+?)([A-Za-z_][A-Za-z0-9_]*)\}/g;

/**
 * Compiles a URI template: `{name}` takes one segment, `{+name}` takes the rest, slashes included. These two are what
 * clients can fill in; other operators of RFC 6570 are refused. @throws `ToolDefinitionError`
 */
export function compileUriTemplate(template: string): UriTemplate {
  const variables: string[] = [];
  let pattern = '';
  let end = 0;
  for (const found of template.matchAll(EXPRESSION)) {
    const [whole, plus, name = ''] = found;
    if (variables.includes(name)) throw refused(template, `the variable '${name}' appears twice`);
    variables.push(name);
    pattern += literal(template.slice(end, found.index)) + (plus ? '(.+)' : '([^/?#]+)');
    end = found.index + whole.length;
  }
  pattern += literal(template.slice(end));
  if (/[{}]/.test(template.replace(EXPRESSION, ''))) {
    throw refused(template, 'only {name} and {+name} are understood');
  }
  if (variables.length === 0) throw refused(template, 'it has no variable; use createMcpResource');
  const expression = new RegExp(`^${pattern}$`);
  return {
    variables,
    match(uri) {
      const found = uri.length <= MAX_URI ? expression.exec(uri) : null;
      if (!found) return undefined;
      try {
        return Object.fromEntries(
          variables.map((name, index) => [name, decodeURIComponent(found[index + 1] ?? '')]),
        );
      } catch {
        return undefined;
      }
    },
  };
}

function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

function refused(template: string, why: string): ToolDefinitionError {
  return new ToolDefinitionError(`the resource template '${template}' cannot be used: ${why}`);
}
