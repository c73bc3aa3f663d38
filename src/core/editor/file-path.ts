import { decoded } from '../schema/decoded.ts';

/**
 * The path that the address of a file means, as its system writes it and the editor shows it: `/home/me`, `c:\me`, `\\server\me`. The
 * `pathname` of an address is none: it is `/c:/me`, and has lost the server.
 */
export function filePath(address: string): string {
  const { host, pathname } = new URL(address);
  const path = decoded(pathname);
  if (host !== '') return `//${host}${path}`.replaceAll('/', '\\');
  const drive = /^\/([a-z]):/i.exec(path)?.[1];
  return drive === undefined ? path : `${drive.toLowerCase()}${path.slice(2)}`.replaceAll('/', '\\');
}
