import { readFile } from 'node:fs/promises';

/** The text of a file that a person wrote, without the mark that some editors put before it: no JSON begins with that. */
export async function textIn(path: string): Promise<string> {
  return new TextDecoder().decode(await readFile(path));
}
