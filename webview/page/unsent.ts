import type { JsonObject, JsonValue } from '../../src/core/messages/json.ts';
import { isJsonObject } from '../../src/panel-port/index.ts';
import type { MemoryPart } from './memory.ts';

/** What a person had put into a question that went away before it was sent. */
export interface Unsent {
  readonly callId: string;
  /** The question's. */
  readonly id: string;
  readonly number: number;
  readonly message: string;
  /** The form's, where the page knows it. */
  readonly schema?: JsonObject | undefined;
  /** What its form and its views had kept, by their keys. */
  readonly drafts: JsonObject;
  /** `back`: the person went back from it, and it may come again. `sent`: it was answered with this, and the person may go back to it. */
  readonly how?: 'back' | 'sent' | undefined;
}

/** What a panel has kept of them. */
export function readUnsent(part: MemoryPart): readonly Unsent[] {
  const stored = part.get();
  return (Array.isArray(stored) ? stored : []).flatMap((one) => (isUnsent(one) ? [one] : []));
}

function isUnsent(stored: JsonValue): stored is JsonValue & Unsent {
  return (
    isJsonObject(stored) &&
    [stored.callId, stored.id, stored.message].every((text) => typeof text === 'string') &&
    typeof stored.number === 'number' &&
    (stored.schema === undefined || isJsonObject(stored.schema)) &&
    isJsonObject(stored.drafts) &&
    (stored.how === undefined || stored.how === 'back' || stored.how === 'sent')
  );
}
