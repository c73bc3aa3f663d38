/** A picture of something that clients list. Source: MCP "Icons": `src` is https or a data URI. */
export interface Icon {
  readonly src: string;
  readonly mimeType?: string;
  /** `48x48`, or `any`. */
  readonly sizes?: string[];
  readonly theme?: 'light' | 'dark';
}

/** What a tool or a prompt says of itself to clients that know what to make of it. */
export interface ListedFacts {
  readonly icons?: readonly Icon[];
  /** For clients that know what it says. */
  readonly _meta?: Readonly<Record<string, unknown>>;
}
