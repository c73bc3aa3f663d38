import { isJsonObject } from '../../panel-port/index.ts';

/** Whether a content block of a tool's result is meant for them: for everybody, unless its annotations name its audience. */
export function isMeantFor(whom: 'user' | 'assistant', block: unknown): boolean {
  const annotations = isJsonObject(block) ? block.annotations : undefined;
  const audience = isJsonObject(annotations) ? annotations.audience : undefined;
  return !Array.isArray(audience) || audience.length === 0 || audience.includes(whom);
}
