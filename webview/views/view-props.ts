/**
 * The props of a view: what the handler passes, and the way back. `onRespond` counts once for each rendering.
 *
 * @example
 * export function FlightList({ flights, onRespond }: ViewProps<{ flights: Flight[] }, { id: string }>) {
 *   return flights.map(({ id }) => <button key={id} onClick={() => onRespond({ id })}>{id}</button>);
 * }
 */
export type ViewProps<Props, Value = never> = Props & { onRespond(value: Value): void };
