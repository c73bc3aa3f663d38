import { nameOfStep } from '../../core/schema/decoded.ts';
import { isObject } from '../../core/schema/is-object.ts';
import { commentOf } from './comment.ts';

type Node = Readonly<Record<string, unknown>>;

/** Levels of a type that are written out, and characters of all of it: what a server says of its tools can be without end. */
const DEPTH = 12;
const CHARACTERS = 20_000;

/** JSON Schema as a TypeScript type. What TypeScript cannot say, or is too deep or too long, is `unknown`. */
export function typeOf(schema: unknown): string {
  return new Writer(schema).type(schema, '', DEPTH);
}

/** A name as a property: quoted where it is no identifier. */
export function propertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

class Writer {
  readonly #root: unknown;
  #room = CHARACTERS;
  readonly #within = new Set<unknown>();

  constructor(root: unknown) {
    this.#root = root;
  }

  type(schema: unknown, indent: string, depth: number): string {
    if (depth === 0 || this.#room <= 0 || !isObject(schema) || this.#within.has(schema)) return 'unknown';
    this.#within.add(schema);
    const written = this.#known(schema, indent, depth);
    this.#within.delete(schema);
    if (written.length > CHARACTERS) return 'unknown';
    // What is within has been counted.
    if (!/[\n|&]/.test(written)) this.#room -= written.length;
    return written;
  }

  #known(node: Node, indent: string, depth: number): string {
    const below = (schema: unknown) => this.type(schema, indent, depth - 1);
    if (typeof node.$ref === 'string') return below(this.#find(node.$ref));
    if ('const' in node) return literal(node.const);
    if (Array.isArray(node.enum)) return either(node.enum.map(literal));
    const choices = node.anyOf ?? node.oneOf;
    if (Array.isArray(choices)) return either(choices.map(below));
    if (Array.isArray(node.allOf)) return node.allOf.map(below).map(grouped).join(' & ');
    if (Array.isArray(node.type)) return either(node.type.map((type) => below({ ...node, type })));
    switch (node.type) {
      case 'string':
      case 'boolean':
      case 'null':
        return node.type;
      case 'number':
      case 'integer':
        return 'number';
      case 'array':
        return this.#list(node, below);
      case 'object':
        return this.#object(node, indent, depth);
      default:
        return isObject(node.properties) ? this.#object(node, indent, depth) : 'unknown';
    }
  }

  #list(node: Node, below: (schema: unknown) => string): string {
    if (Array.isArray(node.prefixItems)) return `[${node.prefixItems.map(below).join(', ')}]`;
    return `${grouped(below(node.items))}[]`;
  }

  #object(node: Node, indent: string, depth: number): string {
    const properties = Object.entries(isObject(node.properties) ? node.properties : {});
    const others = isObject(node.additionalProperties) ? node.additionalProperties : undefined;
    const open = others !== undefined || node.additionalProperties === true;
    if (properties.length === 0) {
      return others ? `Record<string, ${this.type(others, indent, depth - 1)}>` : 'Record<string, unknown>';
    }
    const required = new Set(Array.isArray(node.required) ? node.required : []);
    const inner = `${indent}  `;
    const lines: string[] = [];
    for (const [name, schema] of properties) {
      if (this.#room <= 0) break;
      const comment = isObject(schema) ? commentOf(schema.description, inner) : '';
      const type = this.type(schema, inner, depth - 1);
      const line = `${comment}${inner}${propertyName(name)}${required.has(name) ? '' : '?'}: ${type};`;
      if (line.length - type.length > this.#room) break;
      this.#room -= line.length - type.length;
      lines.push(line);
    }
    if (lines.length < properties.length)
      lines.push(`${inner}// … and ${properties.length - lines.length} more`);
    if (open) lines.push(`${inner}[field: string]: unknown;`);
    return `{\n${lines.join('\n')}\n${indent}}`;
  }

  /** What a reference within the schema names; nothing for any other. */
  #find(reference: string): unknown {
    if (!reference.startsWith('#')) return undefined;
    const steps = reference.slice(1).split('/').slice(1);
    return steps.reduce<unknown>((at, step) => {
      const name = nameOfStep(step);
      return isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined;
    }, this.#root);
  }
}

/** A value as a type; lists and objects are too particular for one. */
function literal(value: unknown): string {
  return typeof value === 'object' && value !== null ? 'unknown' : (JSON.stringify(value) ?? 'unknown');
}

function either(types: readonly string[]): string {
  const distinct = [...new Set(types)];
  return distinct.length === 0 ? 'never' : distinct.join(' | ');
}

function grouped(type: string): string {
  return / [|&] /.test(type) && !type.startsWith('{') ? `(${type})` : type;
}
