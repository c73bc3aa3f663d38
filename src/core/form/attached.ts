import type { EmbeddedResourceContent, ImageContent } from '../messages/content.ts';
import type { JsonObject, JsonValue } from '../messages/json.ts';
import { isContentBlock } from '../messages/result-content.ts';
import { isObject } from '../schema/is-object.ts';

/** What of files a field takes. */
export interface AttachmentLimits {
  /** MIME types, such as `image/png`, `image/*` or `text/*`. */
  readonly accept: readonly string[];
  /** The most files. */
  readonly max: number;
  /** The most bytes, of all together. */
  readonly maxBytes: number;
}

type Block = ImageContent | EmbeddedResourceContent;

/** How the base64 of each kind of picture begins that models and pages read. */
const PICTURES: Readonly<Record<string, string>> = {
  'image/png': 'iVBORw0KGgo',
  'image/jpeg': '/9j/',
  'image/gif': 'R0lGOD',
  'image/webp': 'UklGR',
};

/** Whether files of a type are taken. */
export function isAccepted(accept: readonly string[], type: string): boolean {
  return accept.some(
    (one) => one === type || one === '*/*' || (one.endsWith('/*') && type.startsWith(one.slice(0, -1))),
  );
}

/** The type of a file. */
export function fileTypeOf(block: Block): string {
  const type = block.type === 'image' ? block.mimeType : block.resource.mimeType;
  return type ?? 'application/octet-stream';
}

/** Whether a picture is of the type that it says, as far as its first bytes tell. */
export function isPictureAsSaid(block: Block): boolean {
  if (block.type !== 'image') return true;
  // No base64 begins with that.
  return block.data.startsWith(PICTURES[block.mimeType] ?? '?');
}

/** How many bytes a file has; nothing where it is no base64. */
export function bytesOf(block: Block): number | undefined {
  const data = block.type === 'image' ? block.data : block.resource.blob;
  if (data === undefined)
    return block.type === 'resource' ? new TextEncoder().encode(block.resource.text).length : 0;
  if (data.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(data)) return undefined;
  return (data.length / 4) * 3 - (data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0);
}

/** What a file is called. */
export function nameOfFile(block: Block): string {
  const said = block.type === 'image' ? block._meta?.name : decoded(block.resource.uri);
  return typeof said === 'string' && said !== '' ? said : fileTypeOf(block);
}

/** Where a file is that has no place: its name is in it. */
export function addressOfFile(name: string): string {
  return `attachment:///${encodeURIComponent(name)}`;
}

function decoded(uri: string): string {
  try {
    return decodeURIComponent(uri.replace(/^.*\//s, ''));
  } catch {
    return uri;
  }
}

/** The files in an answer, in order. */
export function filesIn(value: unknown): readonly Block[] {
  if (isFile(value)) return [value];
  return Array.isArray(value) || isObject(value) ? Object.values(value).flatMap(filesIn) : [];
}

/** An answer with the names of files in their place: for who only reads what was answered. */
export function withoutBytes<T>(value: T): T | JsonValue {
  if (filesIn(value).length === 0) return value;
  if (isFile(value)) return nameOfFile(value);
  if (Array.isArray(value)) return value.map((one) => withoutBytes(one) as JsonValue);
  const entries = Object.entries(value as object).map(([name, one]) => [name, withoutBytes(one)]);
  return Object.fromEntries(entries) as JsonObject;
}

function isFile(value: unknown): value is Block {
  return isContentBlock(value) && (value.type === 'image' || value.type === 'resource');
}
