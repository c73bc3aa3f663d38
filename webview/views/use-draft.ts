import { createContext, useCallback, useContext, useRef, useState } from 'react';
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
export function useDraft<Value>(
  key: string,
  initial: Value,
): [Value, (next: Value | ((before: Value) => Value)) => void] {
  const place = useContext(DraftScope);
  const name = `${place?.view ?? ''} ${key}`;
  const [value, setValue] = useState<Value>(() => {
    // A view's bundle has its build hash in its key: a draft is read only by the code that wrote it.
    const draft = place?.drafts.read(place.scope, name) as Value | undefined;
    return draft === undefined ? initial : draft;
  });
  // An update is of what was set last, though that is not drawn yet.
  const last = useRef(value);
  const update = useCallback(
    (next: Value | ((before: Value) => Value)) => {
      // A draft is JSON, so a function can only be an update.
      const made = typeof next === 'function' ? (next as (before: Value) => Value)(last.current) : next;
      if (!isJson(made)) throw new TypeError(`The draft “${key}” of a view is not JSON.`);
      last.current = made;
      place?.drafts.write(place.scope, name, made);
      setValue(() => made);
    },
    [place, name, key],
  );
  return [value, update];
}
