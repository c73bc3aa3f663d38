import { randomUUID } from 'node:crypto';
import type { Operation } from 'effection';
import * as vscode from 'vscode';
import { useDisposable } from '../../bridge.ts';

/** A read-only document of this text, at a path that says what it is; it is there as long as the caller lives. */
export function* useShownText(path: string, text: string): Operation<vscode.Uri> {
  const scheme = `parley-preview-${randomUUID()}`;
  yield* useDisposable(() =>
    vscode.workspace.registerTextDocumentContentProvider(scheme, { provideTextDocumentContent: () => text }),
  );
  return vscode.Uri.from({ scheme, path });
}
