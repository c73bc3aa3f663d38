import type { Operation } from 'effection';
import * as vscode from 'vscode';
import { fromThenable } from '../bridge.ts';

/** Larger files say that they are large. */
const LARGEST = 200_000;

/** The diff of a file that git does not track yet, as git would write it once it does. */
export function* newFileDiff(path: string, uri: vscode.Uri): Operation<string> {
  const head = [`diff --git a/${path} b/${path}`, 'new file', '--- /dev/null', `+++ b/${path}`];
  let bytes: Uint8Array;
  try {
    const { size, type } = yield* fromThenable(vscode.workspace.fs.stat(uri));
    if (type === vscode.FileType.Directory) return `${head.join('\n')}\n(a folder)\n`;
    if (size > LARGEST) return `${head.join('\n')}\n(${size} bytes)\n`;
    bytes = yield* fromThenable(vscode.workspace.fs.readFile(uri));
  } catch {
    // It went away meanwhile: git will say so.
    return '';
  }
  if (bytes.includes(0)) return `${head.join('\n')}\nBinary file (${bytes.length} bytes)\n`;
  const lines = new TextDecoder().decode(bytes).replace(/\n$/, '').split('\n');
  return [...head, `@@ -0,0 +1,${lines.length} @@`, ...lines.map((line) => `+${line}`), ''].join('\n');
}
