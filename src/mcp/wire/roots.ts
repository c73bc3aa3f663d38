import { ParleyError } from '../../core/errors/parley-error.ts';
import { isObject } from '../../core/schema/is-object.ts';
import type { RootsAnswer } from '../../core/tool/ask.ts';
import type { Root } from '../../core/tool/context.ts';

/** A client's `ListRootsResult`. @throws `ParleyError` (`ANSWER_INVALID`) when it is none. */
export function decodeRoots(wire: unknown): RootsAnswer {
  const roots = isObject(wire) ? wire.roots : undefined;
  if (!Array.isArray(roots)) {
    throw new ParleyError('ANSWER_INVALID', "The client's answer to roots/list holds no list of roots.");
  }
  return { roots: roots.map(decodeRoot) };
}

function decodeRoot(wire: unknown): Root {
  if (!isObject(wire) || typeof wire.uri !== 'string') {
    throw new ParleyError('ANSWER_INVALID', "A root in the client's answer to roots/list has no uri.");
  }
  return typeof wire.name === 'string' ? { uri: wire.uri, name: wire.name } : { uri: wire.uri };
}
