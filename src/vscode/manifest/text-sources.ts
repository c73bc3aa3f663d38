import { readdirSync, readFileSync } from 'node:fs';

/** The sources whose texts are translated: the editor's side, and the page with the views of shipped tools and of code mode, which gets the same. */
export function textSources(root: URL): string[] {
  return ['src/vscode', 'src/tools', 'src/code', 'webview'].flatMap((folder) =>
    readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.tsx?$/.test(path))
      .map((path) => readFileSync(new URL(`${folder}/${path}`, root), 'utf8')),
  );
}
