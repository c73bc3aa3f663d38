import type { JsonObject } from '../../src/core/messages/json.ts';
import { isJsonObject, openBlock } from '../../src/panel-port/index.ts';
import { usePage } from '../page/page-context.ts';
import { Codicon } from '../parts/icon.tsx';
import { t } from '../parts/l10n.ts';
import { JsonTree } from './json-tree.tsx';
import { LongText } from './long-text.tsx';

/** MCP content blocks, one below the other. */
export function ContentBlocks({ blocks }: { blocks: readonly JsonObject[] }) {
  return (
    <div className="blocks">
      {blocks.map((block, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of a result never move
        <Block key={at} at={at} block={block} />
      ))}
    </div>
  );
}

function Block({ block, at }: { block: JsonObject; at: number }) {
  switch (block.type) {
    case 'text':
      if (block.text === '') return null;
      if (typeof block.text === 'string') return <Words>{block.text}</Words>;
      break;
    case 'image': {
      const source = dataUri('image', block);
      if (source) return <img className="block-image" src={source} alt={t('From the tool')} />;
      break;
    }
    case 'audio': {
      const source = dataUri('audio', block);
      if (source)
        // biome-ignore lint/a11y/useMediaCaption: MCP has no captions to give
        return <audio className="block-audio" controls src={source} aria-label={t('From the tool')} />;
      break;
    }
    case 'resource_link':
      if (typeof block.uri === 'string') return <ResourceLink block={block} uri={block.uri} at={at} />;
      break;
    case 'resource': {
      const { resource } = block;
      if (isJsonObject(resource) && typeof resource.text === 'string') return <Words>{resource.text}</Words>;
    }
  }
  return <JsonTree value={block} />;
}

function Words({ children }: { children: string }) {
  return (
    <div className="value-text">
      <LongText>{children}</LongText>
    </div>
  );
}

/** A link to the web is a link; one to a file is opened by the host, if it is one of the workspace. */
function ResourceLink({ block, uri, at }: { block: JsonObject; uri: string; at: number }) {
  const page = usePage();
  const name = [block.title, block.name].find((text) => typeof text === 'string') ?? uri;
  const { description } = block;
  return (
    <p className="resource">
      <Codicon name={uri.startsWith('file:') ? 'file' : 'link'} />{' '}
      {/^https?:\/\//i.test(uri) ? (
        <a href={uri} title={uri}>
          {name}
        </a>
      ) : uri.startsWith('file:') && !page.outside ? (
        <button
          type="button"
          className="link"
          title={uri}
          onClick={() => page.post(openBlock({ block: at }))}
        >
          {name}
        </button>
      ) : (
        <span title={uri}>{name}</span>
      )}
      {typeof description === 'string' && <span className="muted"> {description}</span>}
    </p>
  );
}

/** A block's bytes as an address that can be nothing else. */
function dataUri(kind: 'image' | 'audio', { data, mimeType }: JsonObject): string | undefined {
  if (typeof data !== 'string' || typeof mimeType !== 'string') return undefined;
  const isMedia = mimeType.startsWith(`${kind}/`) && /^[a-z]+\/[a-z0-9.+-]+$/i.test(mimeType);
  return isMedia && /^[a-z0-9+/=\s]*$/i.test(data) ? `data:${mimeType};base64,${data}` : undefined;
}
