/**
 * A view as a handler imports it from a `*.view.tsx` file: a component that takes props and `onRespond`. The build puts
 * a `ViewReference` in its place, so that the host bundle never contains a component.
 */
export type View<Props> = (props: Props) => unknown;

/** What stands for a view in the host bundle. `key` is source root + path + export + build hash. */
export interface ViewReference {
  readonly kind: 'parley.view';
  readonly key: string;
  /** The export's name, for messages. */
  readonly name: string;
}

/** Props that a handler passes: all but the callback. */
export type PropsOf<P> = Omit<P, 'onRespond'>;

/** What a view responds with. */
export type ResponseOf<P> = P extends { onRespond(value: infer V): void } ? V : never;

/** The reference behind a view, or `undefined` for a real component (as in a unit test). */
export function viewReferenceOf(view: unknown): ViewReference | undefined {
  const candidate = view as Partial<ViewReference> | null | undefined;
  return candidate?.kind === 'parley.view' && typeof candidate.key === 'string'
    ? (candidate as ViewReference)
    : undefined;
}
