import type { RequiredPage } from '../../core/errors/elicit-errors.ts';
import { readPageAddress } from '../../core/page/page-address.ts';
import { isObject } from '../../core/schema/is-object.ts';

/** The pages that an error of a tool sends the person to: those that a person may be sent to. */
export function requiredPages(elicitations: unknown): readonly RequiredPage[] {
  if (!Array.isArray(elicitations)) return [];
  return elicitations.flatMap((page: unknown) => {
    if (!isObject(page)) return [];
    const { message, url, elicitationId } = page;
    const read = readPageAddress(url);
    if (!read.ok || typeof message !== 'string' || typeof elicitationId !== 'string') return [];
    return [{ message, url: read.address.href, elicitationId }];
  });
}
