/** What somebody has of something that there is only so much of. */
export interface Load {
  readonly calls: number;
  readonly bytes: number;
}

/** How much there may be: in all, and of each principal. The shares of several cannot fill it up for the others: see {@link crowd}. */
export interface Room {
  readonly calls: number;
  readonly share: number;
  readonly bytes: number;
  readonly shareBytes: number;
}

/** So many are looked at for one that can give way. */
const MOST = 8;

/** What is too much. */
export interface Crowd {
  /** Only the principal's own may make room: its share is full. */
  readonly own: boolean;
  /** Who has more than the newcomer would, those with most first: of them the oldest that waits gives way. */
  readonly most: readonly string[];
  /** Part of a sentence. */
  readonly full: string;
}

/** Whether it is too much when a principal gets so much more. */
export function crowd(
  loads: ReadonlyMap<string, Load>,
  who: string,
  more: Load,
  { calls, share, bytes, shareBytes }: Room,
): Crowd | undefined {
  const of = (name: string, kind: keyof Load) =>
    (loads.get(name)?.[kind] ?? 0) + (name === who ? more[kind] : 0);
  for (const kind of ['calls', 'bytes'] as const) {
    const [each, total] = kind === 'calls' ? [share, calls] : [shareBytes, bytes];
    const said = (most: number) =>
      kind === 'calls' ? `${most} calls wait` : `calls take up ${megabytes(most)}`;
    const own = of(who, kind);
    if (own > each) return { own: true, most: [], full: `${said(each)} of the same principal` };
    let all = more[kind];
    for (const load of loads.values()) all += load[kind];
    if (all <= total) continue;
    const most = [...loads.keys()].filter((name) => name !== who && of(name, kind) > own);
    return {
      own: false,
      most: most.sort((a, b) => of(b, kind) - of(a, kind)).slice(0, MOST),
      full: said(total),
    };
  }
  return undefined;
}

/** A size in words. */
function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 2 ** 20)} MB`;
}

/** Counts what came, or went. */
export function addLoad(
  loads: Map<string, Load>,
  who: string,
  { calls, bytes }: Load,
  sign: 1 | -1 = 1,
): void {
  const had = loads.get(who) ?? { calls: 0, bytes: 0 };
  const has = { calls: had.calls + sign * calls, bytes: Math.max(0, had.bytes + sign * bytes) };
  if (has.calls > 0) loads.set(who, has);
  else loads.delete(who);
}
