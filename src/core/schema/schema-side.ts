/** Which side of a schema: what goes in, before defaults and transforms, or what comes out. */
export type SchemaSide = 'input' | 'output';

/** What JSON cannot carry, and what to write instead. */
export interface Unrepresentable {
  readonly path: string;
  readonly what: string;
}
