/**
 * The props of a view: what the handler passes, and the way back. `onRespond` counts once for each rendering.
 *
 * @example
 * export function FlightList({ flights, onRespond }: ViewProps<{ flights: Flight[] }, { id: string }>) { … }
 */
export type ViewProps<Props, Value = never> = Props & { onRespond(value: Value): void };
