import { isObject } from '../schema/is-object.ts';

/**
 * What a model gave a tool, as an object: some pass it on as text. What is no JSON object is for the tool's schema to refuse, as its
 * `arguments`: the model is asked again.
 */
export function toolInputOf(given: unknown): Readonly<Record<string, unknown>> {
  if (given === undefined || given === null || given === '') return {};
  const input = typeof given === 'string' ? read(given) : given;
  return isObject(input) ? input : { arguments: input };
}

function read(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
