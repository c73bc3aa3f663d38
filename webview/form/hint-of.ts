import { zoneName } from './dates.ts';
import type { Field } from './field.ts';
import { isObject } from './simplify.ts';

/** A field's limits in words, for below the control: “1 to 9”, “at most 80 characters”. */
export function hintOf(field: Field): string | undefined {
  switch (field.kind) {
    case 'string':
      if (field.format === 'date-time') return `Your time (${zoneName()})`;
      return range(field.minLength || undefined, field.maxLength, 'characters');
    case 'number':
    case 'integer':
      return range(safe(field.minimum), safe(field.maximum));
    case 'multi': {
      const { minItems = 0, maxItems } = field;
      if (minItems > 0 && minItems === maxItems) return `Choose ${minItems}`;
      const limits = range(minItems || undefined, maxItems);
      return limits && `Choose ${limits.charAt(0).toLowerCase()}${limits.slice(1)}`;
    }
    case 'json': {
      const names = isObject(field.schema.properties) ? Object.keys(field.schema.properties) : [];
      return names.length > 0 ? `JSON with ${names.join(', ')}` : 'JSON';
    }
    default:
      return undefined;
  }
}

/** Generators write the limits of a double where nobody set one. */
function safe(limit: number | undefined): number | undefined {
  return limit !== undefined && Math.abs(limit) < Number.MAX_SAFE_INTEGER ? limit : undefined;
}

function range(from: number | undefined, to: number | undefined, unit = ''): string | undefined {
  const of = unit && ` ${unit}`;
  if (from !== undefined && to !== undefined) return `${from} to ${to}${of}`;
  if (from !== undefined) return `At least ${from}${of}`;
  return to === undefined ? undefined : `At most ${to}${of}`;
}
