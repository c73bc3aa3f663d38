import type { JsonSchema } from '../messages/json.ts';
import { isString } from './form-keywords.ts';

/** What is wrong with the names that a field gives to its choices, in the words of its author; nothing, as a rule. */
export function enumNamesProblem(node: JsonSchema): string | undefined {
  for (const keyword of ['enumNames', 'legacyEnumNames'] as const) {
    const names = node[keyword];
    if (names === undefined) continue;
    if (!Array.isArray(names) || !names.every(isString)) return `${keyword} is a list of texts`;
    if (!Array.isArray(node.enum)) {
      return `${keyword} names the choices of an enum: put it there, z.array(z.enum([…]).meta({ ${keyword}: […] }))`;
    }
    if (names.length !== node.enum.length) {
      return `${keyword} has ${names.length} names for ${node.enum.length} choices: name each of them`;
    }
  }
  return undefined;
}
