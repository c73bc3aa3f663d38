/** A run panel that is open, as far as the place of the next one goes. */
export interface OpenPanel {
  readonly column: number;
  /** Its tab is the active one of the whole window. */
  readonly active: boolean;
  /** Its call is over: nobody fills anything in there any more. */
  readonly ended: boolean;
}

/**
 * Where a panel opens that nobody asked for: with the other run panels, so that they do not fill the window column by
 * column, but never over something in which the person may be typing.
 */
export function backgroundColumn(activeColumn: number, panels: readonly OpenPanel[]): number | 'beside' {
  const elsewhere = panels.find(({ column }) => column !== activeColumn);
  if (elsewhere) return elsewhere.column;
  return panels.some(({ active, ended }) => active && ended) ? activeColumn : 'beside';
}
