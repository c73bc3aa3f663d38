import type { ContentBlock } from '../../../../core/messages/content.ts';
import type { LmPart } from '../../../calls/sampler/parts.ts';

/** The parts of a result as blocks: text and pictures as they are; what no model can read is named. */
export function blocksOfParts(parts: readonly LmPart[]): ContentBlock[] {
  return parts.flatMap((part): readonly ContentBlock[] => {
    if (part.type === 'text') return [{ type: 'text', text: part.text }];
    return part.type === 'data' ? [blockOfData(part)] : [];
  });
}

function blockOfData({ bytes, mimeType }: Extract<LmPart, { type: 'data' }>): ContentBlock {
  const [, kind] = /^(image|audio|text)\//.exec(mimeType) ?? [];
  if (kind === 'image' || kind === 'audio') {
    return { type: kind, data: Buffer.from(bytes).toString('base64'), mimeType };
  }
  if (kind === 'text' || /^application\/(?:[\w.-]+\+)?json$/.test(mimeType)) {
    return { type: 'text', text: Buffer.from(bytes).toString('utf8') };
  }
  return { type: 'text', text: `[${bytes.length} bytes of ${mimeType}]` };
}

/** Elements within each other that are looked into. */
const DEPTH = 50;

/** The text in a result made with `@vscode/prompt-tsx`: a tree whose leaves have `text`. */
export function textOfPrompt(value: unknown, depth = 0): string {
  if (typeof value !== 'object' || value === null || depth > DEPTH) return '';
  const { node, children, text, lineBreakBefore } = value as Readonly<Record<string, unknown>>;
  if (typeof text === 'string') return `${lineBreakBefore ? '\n' : ''}${text}`;
  if (Array.isArray(children)) return children.map((child) => textOfPrompt(child, depth + 1)).join('');
  return textOfPrompt(node, depth + 1);
}
