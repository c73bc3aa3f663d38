import { treeItems } from '../../ids.ts';
import type { Pins } from './pins.ts';

/** What the row of a tool is to the menus: pinned or not, and where among those that are pinned and there now. */
export function pinRow(
  pins: Pick<Pins, 'has' | 'beside'>,
  toolName: string,
  isThere: (toolName: string) => boolean,
): string {
  if (!pins.has(toolName)) return treeItems.tool;
  const first = pins.beside(toolName, -1, isThere) === undefined ? treeItems.firstPin : '';
  const last = pins.beside(toolName, 1, isThere) === undefined ? treeItems.lastPin : '';
  return `${treeItems.pinnedTool}${first}${last}`;
}
