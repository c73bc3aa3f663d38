import type { PanelLocation } from '../../ids.ts';
import type { WindowColumn } from '../panel/window.ts';
import { backgroundColumn, type OpenPanel } from './background-column.ts';

/** What it depends on how the person is told of a question. */
export interface QuestionFacts {
  /** As the person has set it. */
  readonly location: PanelLocation;
  /** Of the call that asks. */
  readonly panel: { readonly open: boolean; readonly visible: boolean; readonly closedByPerson: boolean };
  /** A notification speaks for all that wait already. */
  readonly notified: boolean;
  readonly activeColumn: number;
  /** The run panels of the window. */
  readonly panels: readonly OpenPanel[];
}

/**
 * How the person is told of a question: the panel of its call opens at a place, a notification leads there, or neither is needed.
 * As one more tab of the active group a panel would cover what the person types in, so where panels are to open there, none opens by itself.
 */
export function howToTell(facts: QuestionFacts): { readonly opens: WindowColumn } | 'notify' | 'nothing' {
  const { location, panel, notified, activeColumn, panels } = facts;
  if (location !== 'active' && !panel.open && !panel.closedByPerson) {
    return { opens: location === 'beside' ? 'beside' : backgroundColumn(activeColumn, panels) };
  }
  return panel.visible || notified ? 'nothing' : 'notify';
}
