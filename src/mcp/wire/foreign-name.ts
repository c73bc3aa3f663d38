import { createHash } from 'node:crypto';

/** Longest name that every model and every client takes. */
const LONGEST = 64;

/**
 * The name under which clients see what a server calls `name`: legal everywhere, and the same whatever else there is. It says
 * both names where they can stand as they are; otherwise a digest of both ends it, so that no two are ever taken for each other.
 *
 * @example
 * foreignName('github', 'create_issue') // 'github__create_issue'
 * foreignName('github', 'créer')        // 'github__cr_er_9e29a6e5'
 */
export function foreignName(server: string, name: string): string {
  const plain = `${server}__${name}`;
  if (isPlain(server) && isPlain(name) && plain.length <= LONGEST) return plain;
  const digest = createHash('sha256')
    .update(JSON.stringify([server, name]))
    .digest('hex')
    .slice(0, 8);
  const readable = plain.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, LONGEST - digest.length - 1);
  return `${readable}_${digest}`;
}

/** The name outside of `server/tool`; any other name as it is. */
export function outsideName(name: string): string {
  const at = name.indexOf('/');
  return at < 0 ? name : foreignName(name.slice(0, at), name.slice(at + 1));
}

/** Nothing in it could be mistaken for the sign between two names, nor for a digest. */
function isPlain(name: string): boolean {
  return /^[a-zA-Z0-9-]+(_[a-zA-Z0-9-]+)*$/.test(name) && !/_[0-9a-f]{8}$/.test(name);
}
