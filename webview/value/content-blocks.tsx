import type { JsonObject } from '../../src/core/json.ts';
import { Text } from '../text.tsx';
import { JsonTree } from './json-tree.tsx';

/** MCP content blocks, one below the other. */
export function ContentBlocks({ blocks }: { blocks: readonly JsonObject[] }) {
  return (
    <div className="blocks">
      {blocks.map((block, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of a result never move
        <Block key={at} block={block} />
      ))}
    </div>
  );
}

function Block({ block }: { block: JsonObject }) {
  const { type, text, data, mimeType } = block;
  if (type === 'text' && typeof text === 'string') {
    return (
      <p className="value-text">
        <Text>{text}</Text>
      </p>
    );
  }
  if (
    type === 'image' &&
    typeof data === 'string' &&
    typeof mimeType === 'string' &&
    isImage(data, mimeType)
  ) {
    return <img className="block-image" src={`data:${mimeType};base64,${data}`} alt="From the tool" />;
  }
  return <JsonTree value={block} />;
}

function isImage(data: string, mimeType: string): boolean {
  return /^image\/[a-z0-9.+-]+$/i.test(mimeType) && /^[a-z0-9+/=\s]*$/i.test(data);
}
