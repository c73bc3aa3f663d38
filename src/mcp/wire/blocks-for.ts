import { isObject } from '../../core/schema/is-object.ts';
import { profileOf } from '../clients/profile.ts';

type Result = Readonly<Record<string, unknown>>;

/**
 * A result for a client: web links as text, for one that loses them or would ask this server for them; pictures, sound and files in words,
 * for one that hands its model their base64 as text.
 */
export function resultFor(clientInfo: unknown, result: Result): Result {
  const { links, media } = profileOf(clientInfo);
  if ((links !== 'text' && media !== 'text') || !Array.isArray(result.content)) return result;
  const text = (block: unknown) =>
    (links === 'text' ? linkText(block) : undefined) ?? (media === 'text' ? mediaText(block) : undefined);
  return {
    ...result,
    content: result.content.map((block: unknown) => {
      const said = text(block);
      return said === undefined ? block : { type: 'text', text: said };
    }),
  };
}

function linkText(block: unknown): string | undefined {
  if (!isObject(block) || block.type !== 'resource_link') return undefined;
  const { uri, title, name, description } = block;
  if (typeof uri !== 'string' || !/^https?:/i.test(uri)) return undefined;
  const about = typeof description === 'string' ? ` (${description})` : '';
  return `${String(title ?? name)}: ${uri}${about}`;
}

/** What a block holds that a model cannot read as text. */
function mediaText(block: unknown): string | undefined {
  if (!isObject(block)) return undefined;
  const { type, data, mimeType, resource } = block;
  if ((type === 'image' || type === 'audio') && typeof data === 'string') {
    return `[${type === 'image' ? 'Picture' : 'Sound'}, ${String(mimeType)}, ${sizeOf(data)}: this client does not show it]`;
  }
  if (type !== 'resource' || !isObject(resource) || typeof resource.blob !== 'string') return undefined;
  const { uri, mimeType: kind = 'file', blob } = resource;
  return `[${String(uri)}, ${String(kind)}, ${sizeOf(blob)}: this client does not show it]`;
}

function sizeOf(base64: string): string {
  const bytes = Math.floor((base64.length * 3) / 4);
  return bytes < 1000 ? `${bytes} bytes` : `${Math.round(bytes / 1000)} kB`;
}
