import { isObject } from '../../core/schema/is-object.ts';
import { profileOf } from '../clients/profile.ts';

type Result = Readonly<Record<string, unknown>>;

/** A result for a client: links into the web as text, for one that loses them, or would ask this server for them. */
export function textLinksFor(clientInfo: unknown, result: Result): Result {
  if (profileOf(clientInfo).links !== 'text' || !Array.isArray(result.content)) return result;
  return { ...result, content: result.content.map((block: unknown) => textOf(block) ?? block) };
}

function textOf(block: unknown): unknown {
  if (!isObject(block) || block.type !== 'resource_link') return undefined;
  const { uri, title, name, description } = block;
  if (typeof uri !== 'string' || !/^https?:/i.test(uri)) return undefined;
  const about = typeof description === 'string' ? ` (${description})` : '';
  return { type: 'text', text: `${String(title ?? name)}: ${uri}${about}` };
}
