import { isObject } from '../../core/schema/is-object.ts';

/** The API of OpenTelemetry. */
export type Telemetry = typeof import('@opentelemetry/api');

/** Where every copy of the API's first version keeps what has been registered. */
const REGISTERED: unique symbol = Symbol.for('opentelemetry.js.api.1');

/** The API, where somebody in this process listens to that: loaded then, and never otherwise. */
export function telemetry(to: 'trace' | 'metrics'): Promise<Telemetry | undefined> | undefined {
  const registered: unknown = Reflect.get(globalThis, REGISTERED);
  return isObject(registered) && registered[to] !== undefined ? load() : undefined;
}

async function load(): Promise<Telemetry | undefined> {
  try {
    return await import('@opentelemetry/api');
  } catch {
    // Whoever listens brings it; a call goes on without spans and counts.
    return undefined;
  }
}
