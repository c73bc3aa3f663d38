/** Lines of a file, as people and models write them: counted from 1, the last one included. */
export interface PlaceText {
  readonly path: string;
  readonly first: number;
  readonly last: number;
}

/** Reads `src/a.ts:10-14`, `src/a.ts:10` or `src/a.ts`; `undefined` for what names no file. */
export function parsePlace(text: string): PlaceText | undefined {
  const [, path = '', from = '1', to = from] =
    /^(.+?)(?::(\d{1,9})(?:-(\d{1,9}))?)?$/.exec(text.trim()) ?? [];
  if (path === '') return undefined;
  const first = Math.max(1, Number(from));
  return { path, first, last: Math.max(first, Number(to)) };
}

/** Writes a place as {@link parsePlace} reads it. */
export function placeText({ path, first, last }: PlaceText): string {
  return last > first ? `${path}:${first}-${last}` : `${path}:${first}`;
}
