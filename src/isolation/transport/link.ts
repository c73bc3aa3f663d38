/** The longest text of the other realm: far more than a file of tools with its source maps. */
export const MOST_TEXT = 64 * 1024 * 1024;

/** One end of a line to the other realm. Texts arrive in order, or the line has ended. */
export interface TextLink {
  send(text: string): void;
  /** Calls back for each text. One listener; what came before it is kept. */
  listen(listener: (text: unknown) => void): void;
}

/** Why the other realm has ended. */
export type RealmEnd =
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'threw'; readonly error: unknown }
  | { readonly kind: 'terminated' }
  /** The process that it is was taken away. */
  | { readonly kind: 'lost'; readonly reason: string };

/** The end of the line that holds the session: it can end the other realm, and hears when that ends. */
export interface RealmLink extends TextLink {
  /** Resolves once, when the other realm is gone. */
  readonly ended: Promise<RealmEnd>;
  /** Ends the other realm, whatever it is doing. */
  terminate(): Promise<void>;
}
