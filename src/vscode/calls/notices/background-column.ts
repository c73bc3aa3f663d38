/** A run panel that is open, as far as the place of the next one goes. */
export interface OpenPanel {
  readonly column: number;
  /** Its tab is the active one of the whole window. */
  readonly active: boolean;
  /** Its call is over: nobody fills anything in there any more. */
  readonly ended: boolean;
  /** The person is asked something in it. */
  readonly asking: boolean;
}

/**
 * Where a panel opens that nobody asked for: with the other run panels, so that they do not fill the window column by
 * column, but never over something in which the person may be typing, and over another question only where there is no other place.
 */
export function backgroundColumn(activeColumn: number, panels: readonly OpenPanel[]): number | 'beside' {
  const asking = new Set(panels.flatMap((panel) => (panel.asking ? [panel.column] : [])));
  const elsewhere = panels.filter(({ column }) => column !== activeColumn);
  const free = elsewhere.find(({ column }) => !asking.has(column));
  if (free) return free.column;
  const mayBeCovered = panels.some(({ active, ended }) => active && ended);
  if (mayBeCovered && !asking.has(activeColumn)) return activeColumn;
  const [covered] = elsewhere;
  if (covered) return covered.column;
  return mayBeCovered ? activeColumn : 'beside';
}
