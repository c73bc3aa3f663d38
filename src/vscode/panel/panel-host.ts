import * as vscode from 'vscode';
import type { ToolRegistry } from '../../workspace/registry/registry.ts';
import { type Edge, fromThenable } from '../bridge.ts';
import type { Log } from '../log/log.ts';
import type { PanelHost } from './call-panel.ts';

/** What the panels' host is made of. */
export interface PanelHostParts {
  readonly edge: Edge;
  readonly log: Log;
  readonly context: vscode.ExtensionContext;
  readonly registry: ToolRegistry;
  readonly viewsDir: string;
}

/** What all run panels share of this window. */
export function createPanelHost({ edge, log, context, registry, viewsDir }: PanelHostParts): PanelHost {
  return {
    edge,
    log,
    extensionUri: context.extensionUri,
    views: { roots: () => [vscode.Uri.file(viewsDir)], find: (key) => registry.viewBundle(key) },
    copy: (text) => void edge.fork('copying', () => fromThenable(vscode.env.clipboard.writeText(text))),
  };
}
