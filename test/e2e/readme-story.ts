import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repoRoot } from '#harness';

/** What the README has a newcomer do first. */
export interface ReadmeStory {
  /** The tool that it begins with. */
  readonly code: string;
  /** Where that is to be saved, from the folder of the workspace on. */
  readonly path: string;
  /** What is to be said in the chat. */
  readonly prompt: string;
}

/** The README's own words: who plays it, plays what is written there. */
export async function readmeStory(): Promise<ReadmeStory> {
  const readme = await readFile(join(repoRoot, 'README.md'), 'utf8');
  const [, code] = /```ts release-notes\.ts\n([\s\S]*?)```/.exec(readme) ?? [];
  const [, path, prompt] = /save the code above as `([^`]+)`[^_]+_([\s\S]+?)_\./.exec(readme) ?? [];
  if (!code || !path || !prompt)
    throw new Error('The README does not begin with a tool, its file and a prompt.');
  return { code, path, prompt: prompt.replace(/\s+/g, ' ') };
}
