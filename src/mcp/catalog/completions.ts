import type { Operation } from 'effection';
import { isObject } from '../../core/schema/is-object.ts';
import { type Completer, complete } from '../../core/served/completion.ts';
import { invalidParams, shortened } from '../wire/rpc/rpc-error.ts';
import { requiredText } from './callable.ts';
import type { Catalog } from './catalog.ts';

/** Most values in one answer. Source: MCP "Completion". */
const MAX_VALUES = 100;

/** `completion/complete`. @throws `-32602` for a prompt, a template or params that are none. */
export function* completeArgument(
  catalog: Catalog,
  params: Readonly<Record<string, unknown>>,
): Operation<Readonly<Record<string, unknown>>> {
  const { ref, argument, context } = params;
  if (!isObject(ref) || !isObject(argument))
    throw invalidParams('completion/complete takes ref and argument');
  const { name, value } = argument;
  if (typeof name !== 'string' || typeof value !== 'string') {
    throw invalidParams('completion/complete: argument is { name, value }, both text');
  }
  const filled = isObject(context) && isObject(context.arguments) ? context.arguments : {};
  const values = yield* complete(completerOf(catalog, ref, name), value, { arguments: textsOf(filled) });
  return {
    completion: {
      values: values.slice(0, MAX_VALUES),
      total: values.length,
      hasMore: values.length > MAX_VALUES,
    },
  };
}

function completerOf(
  catalog: Catalog,
  ref: Readonly<Record<string, unknown>>,
  argument: string,
): Completer | undefined {
  if (ref.type === 'ref/prompt') {
    const name = requiredText(ref, 'name', 'completion/complete: ref');
    const prompt = catalog.prompts.get(name);
    if (!prompt) throw invalidParams(`Unknown prompt: ${name}`);
    return own(prompt.def.completers, argument);
  }
  if (ref.type === 'ref/resource') {
    const uri = requiredText(ref, 'uri', 'completion/complete: ref');
    const template = catalog.templates.get(uri);
    if (!template && !catalog.find(uri))
      throw invalidParams(`Unknown resource template: ${uri}`, { uri: shortened(uri) });
    return template && own(template.def.completers, argument);
  }
  throw invalidParams('completion/complete: ref is a ref/prompt or a ref/resource');
}

function own<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

function textsOf(filled: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(filled).filter((e): e is [string, string] => typeof e[1] === 'string'),
  );
}
