import type { JsonSchema } from '../../../core/messages/json.ts';
import { isObject } from '../../../core/schema/is-object.ts';
import type { StandardIssue } from '../../../core/schema/standard-schema.ts';
import { checkNumber, checkString, mustCount, typeProblem } from './check-scalar.ts';

/** Steps one check may take. A schema that needs more is one that a server made to keep us busy, or is its own to check. */
const BUDGET = 20_000;

/** Schemas within each other, counting each reference that is followed: circles end here. */
const DEPTH = 200;

/** Characters, names and values that are looked through for the price of one step. */
const LOOKED_A_STEP = 16;

/** Issues that are told of one value. */
const MOST = 20;

type Path = readonly (string | number)[];

/**
 * What about a value does not fit a JSON Schema. Written for schemas of strangers: no regular expression of theirs is run, no
 * reference leads out of the document, no code is made, and the work is bounded. What is not understood fits.
 */
export function problemsOf(schema: JsonSchema, value: unknown): readonly StandardIssue[] {
  return new Check(schema).run(value);
}

class Check {
  readonly #root: JsonSchema;
  #left = BUDGET;
  #depth = 0;

  constructor(root: JsonSchema) {
    this.#root = root;
  }

  run(value: unknown): readonly StandardIssue[] {
    const found = this.#at(this.#root, value, []);
    // Half a check would blame a value for what the rest of the schema allows.
    return this.#left <= 0 ? [] : found.slice(0, MOST);
  }

  #at(node: unknown, value: unknown, path: Path): StandardIssue[] {
    if (this.#depth >= DEPTH) this.#left = 0;
    if (--this.#left <= 0) return [];
    if (node === false) return [{ path, message: 'no value is allowed here' }];
    this.#depth += 1;
    const found = this.#within(node, value, path);
    this.#depth -= 1;
    return found.slice(0, MOST + 1);
  }

  #within(node: unknown, value: unknown, path: Path): StandardIssue[] {
    const schema = this.#resolved(node);
    if (!schema) return [];
    this.#look(listOf(schema.enum).length + listOf(schema.required).length + sizeOf(schema, value));
    if (this.#left <= 0) return [];
    const problem = typeProblem(schema, value);
    if (problem !== undefined) return [{ path, message: problem }];
    const found = this.#combined(schema, value, path);
    if (typeof value === 'string') found.push(...checkString(schema, value, path));
    else if (typeof value === 'number') found.push(...checkNumber(schema, value, path));
    else if (Array.isArray(value)) found.push(...this.#list(schema, value, path));
    else if (isObject(value)) found.push(...this.#object(schema, value, path));
    return found;
  }

  #combined(schema: JsonSchema, value: unknown, path: Path): StandardIssue[] {
    const { allOf, anyOf, oneOf } = schema;
    const found = listOf(allOf).flatMap((one) => this.#at(one, value, path));
    for (const choices of [listOf(anyOf), listOf(oneOf)]) {
      if (choices.length === 0) continue;
      const [first, ...others] = choices.map((one) => this.#at(one, value, path));
      // Which of several forms was meant cannot be known: one of them is told of, and only where it is the only one.
      if (first && first.length > 0 && others.every((one) => one.length > 0)) {
        found.push(
          ...(others.length === 0 ? first : [{ path, message: 'it matches none of the allowed forms' }]),
        );
      }
    }
    return found;
  }

  #object(schema: JsonSchema, value: Readonly<Record<string, unknown>>, path: Path): StandardIssue[] {
    const properties = isObject(schema.properties) ? schema.properties : {};
    const found: StandardIssue[] = [];
    const required = new Set(listOf(schema.required));
    for (const name of required) {
      if (typeof name === 'string' && !Object.hasOwn(value, name)) {
        found.push({ path: [...path, name], message: 'it is required' });
      }
      if (found.length > MOST) return found;
    }
    // What a pattern allows is not known here.
    const others = schema.patternProperties === undefined ? schema.additionalProperties : undefined;
    for (const [name, one] of Object.entries(value)) {
      // Nothing, said outright: what may be left out may be that, and models often say it.
      if (one === undefined || (one === null && !required.has(name))) continue;
      if (Object.hasOwn(properties, name)) found.push(...this.#at(properties[name], one, [...path, name]));
      else if (others === false) found.push({ path: [...path, name], message: 'there is no such field' });
      else if (isObject(others)) found.push(...this.#at(others, one, [...path, name]));
      if (found.length > MOST) break;
    }
    return found;
  }

  #list(schema: JsonSchema, value: readonly unknown[], path: Path): StandardIssue[] {
    const { items, prefixItems, minItems, maxItems } = schema;
    const found: StandardIssue[] = [];
    if (typeof minItems === 'number' && value.length < minItems) {
      found.push({ path, message: `there are fewer than ${minItems}` });
    }
    if (typeof maxItems === 'number' && value.length > maxItems) {
      found.push({ path, message: `there are more than ${maxItems}` });
    }
    const first = listOf(prefixItems);
    for (const [index, one] of value.entries()) {
      found.push(...this.#at(index < first.length ? first[index] : items, one, [...path, index]));
      if (found.length > MOST || this.#left <= 0) break;
    }
    return found;
  }

  /** The schema with its references inside the document followed. */
  #resolved(node: unknown): JsonSchema | undefined {
    let at = node;
    for (let hops = 0; isObject(at) && typeof at.$ref === 'string'; hops++) {
      if (hops > 50 || !at.$ref.startsWith('#')) return undefined;
      this.#look(at.$ref.length);
      if (this.#left <= 0) return undefined;
      at = pointed(this.#root, at.$ref);
    }
    return isObject(at) ? at : undefined;
  }

  /** Pays for what a step looks through at once. */
  #look(count: number): void {
    this.#left -= Math.floor(count / LOOKED_A_STEP);
  }
}

/** What there is to look through in a value, but for what is inside of its parts. */
function sizeOf({ maxLength }: JsonSchema, value: unknown): number {
  if (typeof value === 'string') return mustCount(value, maxLength) ? value.length : 0;
  return isObject(value) ? Object.keys(value).length : 0;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** What a JSON Pointer in a fragment leads to. Source: RFC 6901. */
export function pointed(root: unknown, ref: string): unknown {
  const steps = ref.slice(1).split('/').slice(1);
  return steps.reduce<unknown>((at, step) => {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(at)) return at[Number(name)];
    return isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined;
  }, root);
}
