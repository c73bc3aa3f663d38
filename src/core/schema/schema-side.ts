/** Which side of a schema: what goes in, before defaults and transforms, or what comes out. */
export type SchemaSide = 'input' | 'output';

/** What JSON cannot carry, and what to write instead. */
export interface Unrepresentable {
  readonly path: string;
  readonly what: string;
}

/** Looks at a part of a schema, by the path of keywords that leads to it, while it is converted. */
export type Visit = (path: ReadonlyArray<string | number>, def: object) => void;
