import type { JsonObject } from '../../src/core/messages/json.ts';
import { isJsonObject } from '../../src/panel-port/index.ts';
import { t } from '../parts/l10n.ts';
import { Text } from '../parts/text.tsx';
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
  switch (block.type) {
    case 'text':
      if (typeof block.text === 'string') return <Words>{block.text}</Words>;
      break;
    case 'image': {
      const source = dataUri('image', block);
      if (source) return <img className="block-image" src={source} alt={t('From the tool')} />;
      break;
    }
    case 'audio': {
      const source = dataUri('audio', block);
      // biome-ignore lint/a11y/useMediaCaption: MCP has no captions to give
      if (source) return <audio className="block-audio" controls src={source} />;
      break;
    }
    case 'resource': {
      const { resource } = block;
      if (isJsonObject(resource) && typeof resource.text === 'string') return <Words>{resource.text}</Words>;
    }
  }
  return <JsonTree value={block} />;
}

function Words({ children }: { children: string }) {
  return (
    <p className="value-text">
      <Text>{children}</Text>
    </p>
  );
}

/** A block's bytes as an address that can be nothing else. */
function dataUri(kind: 'image' | 'audio', { data, mimeType }: JsonObject): string | undefined {
  if (typeof data !== 'string' || typeof mimeType !== 'string') return undefined;
  const isMedia = mimeType.startsWith(`${kind}/`) && /^[a-z]+\/[a-z0-9.+-]+$/i.test(mimeType);
  return isMedia && /^[a-z0-9+/=\s]*$/i.test(data) ? `data:${mimeType};base64,${data}` : undefined;
}
