// A part of npm run lint: every import follows layers.json, and no path of a file is read off its address.
import { importsOfSources, sourcesThatSay } from './imports.ts';
import { refusalOf } from './layers.ts';

for (const { from, to } of await importsOfSources()) {
  const refusal = refusalOf({ from, to });
  if (refusal === undefined) continue;
  console.error(`${from} imports ${to}. ${refusal}`);
  process.exitCode = 1;
}

/** Where addresses are those of pages and of servers. */
const pages =
  /^(src\/(mcp|cli|core\/page|core\/editor\/file-path|vscode\/calls\/editor\/page-opener|vscode\/servers\/login)|webview\/stage\/page-card)/;

for (const file of await sourcesThatSay(/\bpathname\b/)) {
  if (pages.test(file)) continue;
  console.error(
    `${file} reads the pathname of an address. The path of a file is what filePath() of src/core/editor says.`,
  );
  process.exitCode = 1;
}
