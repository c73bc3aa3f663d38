/**
 * `parley-mcp/webview`: types for views. A view is a React component in a `*.view.tsx` file; it runs in the panel's
 * page, so it imports from here and never from `parley-mcp`.
 */
export type { FormContent, FormValue } from './form-schema.ts';
export type { JsonObject, JsonValue } from './json.ts';
export type { PropsOf, ResponseOf, View } from './view.ts';

/**
 * The props of a view: what the handler passes, and `onRespond`, which answers it. Props and response cross to the page
 * and back as JSON.
 *
 * @example
 * export function FlightList({ flights, onRespond }: ViewProps<{ flights: Flight[] }, string>) {
 *   return flights.map((flight) => (
 *     <button key={flight.id} type="button" onClick={() => onRespond(flight.id)}>{flight.name}</button>
 *   ));
 * }
 */
export type ViewProps<Props extends object = Record<never, never>, Value = never> = Readonly<Props> & {
  /** Answers the handler that rendered this view; the first call counts. */
  onRespond(value: Value): void;
};
