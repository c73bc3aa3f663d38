import type { Head, RenderedView, ToPage, ViewRef } from '../panel-port/index.ts';
import { patch, snapshot } from '../panel-port/index.ts';

/** Where a page finds the bundle of a view that is not in its own. */
export type FindBundle = (key: string) => ViewRef['bundle'];

/** A message with the place of each view's bundle, which only the window that posts it knows. */
export function resolveViews(message: ToPage, find: FindBundle): ToPage {
  if (snapshot.is(message)) {
    return snapshot({ ...message.body, head: resolveHead(message.body.head, find) });
  }
  if (patch.is(message) && message.body.head) {
    return patch({ ...message.body, head: resolveHead(message.body.head, find) });
  }
  return message;
}

function resolveHead(head: Head, find: FindBundle): Head {
  const { stage, shown } = head;
  const question =
    stage.kind === 'question' && stage.question.body.kind === 'view'
      ? { ...stage.question, body: { ...stage.question.body, ...resolveView(stage.question.body, find) } }
      : undefined;
  return {
    ...head,
    ...(question ? { stage: { kind: 'question', question } } : {}),
    ...(shown ? { shown: resolveView(shown, find) } : {}),
  };
}

function resolveView(rendered: RenderedView, find: FindBundle): RenderedView {
  const { renderId, props, view } = rendered;
  const bundle = find(view.key);
  return { renderId, props, view: { key: view.key, ...(bundle ? { bundle } : {}) } };
}
