import type { PanelLocation } from '../../ids.ts';
import type { CallPanel } from './call-panel.ts';
import type { WindowColumn } from './window.ts';

/** A panel as far as the place of a new one goes. */
export interface EarlierPanel {
  readonly panel: Pick<CallPanel, 'place' | 'close'>;
  readonly toolName: string;
  /** Its call is over, and was the person's own. */
  readonly done: boolean;
}

/** What the place of a panel depends on. */
export interface PlaceFacts {
  /** As the person has set it. */
  readonly location: PanelLocation;
  readonly inEditor: boolean;
  pinned(column: number): boolean;
}

/**
 * Where the panel of a tool opens that the person runs: in the place of one of that tool that is done, else beside what they read or
 * write, else in front. `pinned` says that no panel of a column may go.
 */
export function runPlace(
  toolName: string,
  earlier: readonly EarlierPanel[],
  { location, inEditor, pinned }: PlaceFacts,
): { readonly place: WindowColumn; readonly instead?: Pick<CallPanel, 'close'> } {
  for (const { panel, toolName: name, done } of earlier) {
    const column = panel.place?.column;
    if (done && name === toolName && column !== undefined && !pinned(column)) {
      return { place: column, instead: panel };
    }
  }
  if (location !== 'auto') return { place: location === 'beside' ? 'beside' : 'front' };
  return { place: inEditor ? 'beside' : 'front' };
}
