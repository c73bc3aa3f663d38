import { isObject } from '../../core/schema/is-object.ts';
import { META } from './meta.ts';

/** The first protocol revision without a handshake. Revisions are dates, so they compare as strings. */
export const FIRST_STATELESS_REVISION = '2026-07-28';

/** The newest one with a handshake, and those that are spoken as well. */
export const LATEST_REVISION = '2025-11-25';
export const REVISIONS = [LATEST_REVISION, '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'];

/** Which of the two ways a message is served. */
export type Era = '2025' | '2026';

/** Whether params claim, in `_meta`, the revision they are sent for. Only stateless requests do. */
function claims(params: unknown): boolean {
  const meta = isObject(params) ? params._meta : undefined;
  return isObject(meta) && META.protocolVersion in meta;
}

/**
 * The era of an HTTP request. A request belongs to 2025-11-25 and before only when nothing in it names a stateless
 * revision; everything else is of 2026, also what is wrong with it.
 *
 * @param version the `MCP-Protocol-Version` header
 * @param body the parsed body, `undefined` for GET and DELETE
 */
export function eraOfHttp(method: string, version: string | undefined, body: unknown): Era {
  if (method !== 'POST') return '2025';
  if (Array.isArray(body))
    return body.some((one) => claims(isObject(one) ? one.params : undefined)) ? '2026' : '2025';
  if (!isObject(body) || typeof body.method !== 'string') return '2025';
  if (version !== undefined && version.trim() >= FIRST_STATELESS_REVISION) return '2026';
  return claims(body.params) ? '2026' : '2025';
}

/** The era of a message on a channel without headers, such as stdio. Answers belong to the era that asks: 2025. */
export function eraOfMessage(message: unknown): Era {
  return isObject(message) && typeof message.method === 'string' && claims(message.params) ? '2026' : '2025';
}
