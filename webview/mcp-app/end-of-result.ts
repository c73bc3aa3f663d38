import type { JsonObject } from '../../src/core/messages/json.ts';
import { isJsonObject, type StageOf } from '../../src/panel-port/index.ts';

/** How a call ended, as the page shows it. */
export type ResultEnd = StageOf<'result'> | StageOf<'error'>;

/**
 * How a call ended, from the result that its host shows: for a page that is drawn anew when its server knows nothing of the call any
 * more. What a tool returned for the model alone is left out.
 */
export function endOfResult(result: JsonObject): ResultEnd {
  const { content, structuredContent = null, isError } = result;
  const blocks = (Array.isArray(content) ? content : []).filter(isJsonObject).filter(isForPerson);
  if (isError === true) return { kind: 'error', error: { name: 'Error', message: textOf(blocks) } };
  // One text that says the same as the data beside it was made of that data.
  const [only, ...more] = blocks;
  const isCopy = more.length === 0 && only?.text === JSON.stringify(structuredContent);
  return { kind: 'result', value: structuredContent, ...(isCopy ? {} : { blocks }) };
}

function isForPerson({ annotations }: JsonObject): boolean {
  const audience = isJsonObject(annotations) ? annotations.audience : undefined;
  return !Array.isArray(audience) || audience.length === 0 || audience.includes('user');
}

const textOf = (blocks: readonly JsonObject[]): string =>
  blocks.flatMap(({ text }) => (typeof text === 'string' ? [text] : [])).join('\n');
