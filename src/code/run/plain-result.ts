/**
 * What code gets of a tool's result. A tool that answers with content blocks gives its structured content, else its text, else
 * the blocks as they are; anything else is what the tool gave.
 */
export function plainResult(result: unknown): unknown {
  if (typeof result !== 'object' || result === null || !('content' in result)) return result;
  const { content, structuredContent } = result as { content: unknown; structuredContent?: unknown };
  if (!Array.isArray(content)) return result;
  if (structuredContent !== undefined) return structuredContent;
  const texts = content.map((block: { type?: unknown; text?: unknown } | null) =>
    block?.type === 'text' && typeof block.text === 'string' ? block.text : undefined,
  );
  return texts.every((text) => text !== undefined) ? texts.join('\n') : content;
}
