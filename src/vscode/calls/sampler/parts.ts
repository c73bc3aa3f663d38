/** Parts and messages as `vscode.lm` has them, without its classes: what encoding makes and decoding reads. */
export type LmPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'data'; readonly bytes: Uint8Array; readonly mimeType: string }
  | { readonly type: 'call'; readonly id: string; readonly name: string; readonly input: object }
  | { readonly type: 'result'; readonly id: string; readonly content: readonly LmPart[] };

/** One message; the stable API knows no system role. */
export interface LmMessage {
  readonly role: 'user' | 'assistant';
  readonly parts: readonly LmPart[];
}

/** A whole request for `LanguageModelChat.sendRequest`. */
export interface LmRequest {
  readonly messages: readonly LmMessage[];
  readonly tools: ReadonlyArray<{
    readonly name: string;
    readonly description: string;
    readonly inputSchema: object;
  }>;
  readonly toolMode: 'auto' | 'required';
  readonly modelOptions: Readonly<Record<string, unknown>>;
}
