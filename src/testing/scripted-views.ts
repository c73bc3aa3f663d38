import type { Operation } from 'effection';
import type { JsonObject } from '../core/messages/json.ts';
import type { Progress } from '../core/tool/context.ts';
import type { ViewPort } from '../runtime/context/run-handler.ts';
import type { Script, Scripted } from './script.ts';
import { readScript, type ScriptReader } from './script.ts';
import type { TranscriptEntry, ViewEntry } from './transcript.ts';

/** What a handler rendered: the view's name and its props. */
export interface MockView {
  readonly view: string;
  readonly props: JsonObject;
}

/** What the person does in the views: in order or by function, or by the view's name either of these or one answer for all. */
export type ViewScript =
  | Script<MockView, unknown>
  | { readonly [view: string]: unknown | readonly Scripted<MockView, unknown>[] };

/** A panel without a page: views are answered from the script and written down. */
export function scriptedViews(
  script: ViewScript,
  transcript: TranscriptEntry[],
): { readonly port: ViewPort; unused(): readonly string[] } {
  const readers = new Map<string, ScriptReader<MockView, unknown>>();
  const byName = typeof script === 'object' && !Array.isArray(script);
  const readerOf = (view: string): ScriptReader<MockView, unknown> => {
    const name = byName ? view : '';
    const known = readers.get(name);
    if (known) return known;
    const reader = byName
      ? readScript(
          asScript((script as Readonly<Record<string, unknown>>)[view]),
          `viewResponses.${view}`,
          Object.keys(script),
        )
      : readScript(script as Script<MockView, unknown>, 'viewResponses');
    readers.set(name, reader);
    return reader;
  };
  return {
    port: {
      *render({ name: view }, props): Operation<unknown> {
        const entry: ViewEntry = { type: 'view', how: 'render', view, props };
        transcript.push(entry);
        const response = yield* readerOf(view).next({ view, props }, `a handler rendered '${view}'`);
        entry.response = response;
        return response;
      },
      *show({ name: view }, props) {
        transcript.push({ type: 'view', how: 'show', view, props });
      },
      *reportProgress(message: string, _progress?: Progress) {
        transcript.push({ type: 'notify', message, depth: 0 });
      },
    },
    unused: () => [
      ...[...readers.values()].flatMap((reader) => reader.unused()),
      ...(byName ? Object.keys(script).filter((view) => !readers.has(view)) : []).map(
        (view) => `viewResponses.${view}: it was never rendered`,
      ),
    ],
  };
}

/** One answer under a name is the answer to every view of that name. */
function asScript(given: unknown): Script<MockView, unknown> | undefined {
  if (given === undefined) return undefined;
  return Array.isArray(given) || typeof given === 'function'
    ? (given as Script<MockView, unknown>)
    : () => given;
}
