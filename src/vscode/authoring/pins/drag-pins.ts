import * as vscode from 'vscode';
import { views } from '../../ids.ts';
import type { ToolNode } from '../tools/tool-node.ts';
import type { Pins } from './pins.ts';

const DRAGGED = `application/vnd.code.tree.${views.tools.toLowerCase()}`;

/** Tools are dragged to what is pinned, and there into the order that one likes. */
export function dragToPin(pins: Pins): vscode.TreeDragAndDropController<ToolNode> {
  return {
    dragMimeTypes: [DRAGGED],
    dropMimeTypes: [DRAGGED],
    handleDrag(nodes, data) {
      const names = nodes.flatMap((node) =>
        node.type === 'tool' && node.used ? [node.registered.name] : [],
      );
      data.set(DRAGGED, new vscode.DataTransferItem(names));
    },
    handleDrop(target, data) {
      const onPinned = target?.type === 'pinned' || (target?.type === 'tool' && target.pinned === true);
      const names: unknown = data.get(DRAGGED)?.value;
      if (!onPinned || !Array.isArray(names)) return;
      const before = target.type === 'tool' ? target.registered.name : pins.list()[0];
      for (const name of names) pins.put(name, before);
    },
  };
}
