import { createContext, useCallback, useContext, useState } from 'react';
import { isJson } from '../../src/panel-port/index.ts';
import type { Drafts } from '../page/drafts.ts';

/** Where the views below keep their drafts. */
export const DraftScope = createContext<{ drafts: Drafts; scope: string; view: string } | undefined>(
  undefined,
);

/**
 * State of a view that is still there when the panel was hidden or reloaded and when the question is asked again. Like
 * `useState`, with a `key` of its own within the view, for JSON values.
 *
 * @example
 * const [seat, setSeat] = useDraft<string | null>('seat', null);
 */
export function useDraft<Value>(key: string, initial: Value): [Value, (value: Value) => void] {
  const place = useContext(DraftScope);
  const name = `${place?.view ?? ''} ${key}`;
  const [value, setValue] = useState<Value>(() => {
    // A view's bundle has its build hash in its key: a draft is read only by the code that wrote it.
    const draft = place?.drafts.read(place.scope, name) as Value | undefined;
    return draft === undefined ? initial : draft;
  });
  const update = useCallback(
    (next: Value) => {
      if (!isJson(next)) throw new TypeError(`The draft “${key}” of a view is not JSON.`);
      place?.drafts.write(place.scope, name, next);
      // A function would be taken for an update.
      setValue(() => next);
    },
    [place, name, key],
  );
  return [value, update];
}
