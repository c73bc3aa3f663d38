import type { FormJsonSchema, FormProperty } from '#src/core/form/form-schema.ts';

/** A second opinion on what a restricted schema accepts, written from MCP's specification and not from our compiler. */
export function acceptsForm(schema: FormJsonSchema, answer: Readonly<Record<string, unknown>>): boolean {
  const required = schema.required ?? [];
  return Object.entries(schema.properties).every(([name, property]) => {
    const value = answer[name];
    return value === undefined ? !required.includes(name) : acceptsValue(property, value);
  });
}

function acceptsValue(property: FormProperty, value: unknown): boolean {
  switch (property.type) {
    case 'boolean':
      return typeof value === 'boolean';
    case 'number':
    case 'integer':
      return (
        typeof value === 'number' &&
        (property.type === 'number' || Number.isInteger(value)) &&
        value >= (property.minimum ?? Number.NEGATIVE_INFINITY) &&
        value <= (property.maximum ?? Number.POSITIVE_INFINITY)
      );
    case 'array': {
      const { items } = property;
      const allowed =
        'anyOf' in items
          ? items.anyOf.map((choice) => choice.const)
          : 'enum' in items
            ? items.enum
            : undefined;
      return (
        Array.isArray(value) &&
        value.length >= (property.minItems ?? 0) &&
        value.length <= (property.maxItems ?? Number.POSITIVE_INFINITY) &&
        value.every((item) => typeof item === 'string' && (allowed?.includes(item) ?? true))
      );
    }
    case 'string': {
      if (typeof value !== 'string') return false;
      if ('enum' in property && property.enum) return property.enum.includes(value);
      if ('oneOf' in property && property.oneOf)
        return property.oneOf.some((choice) => choice.const === value);
      const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = property as {
        minLength?: number;
        maxLength?: number;
      };
      return value.length >= minLength && value.length <= maxLength;
    }
  }
}
