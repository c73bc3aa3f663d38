import type { JsonObject } from '../../core/messages/json.ts';
import type { ViewReference } from '../../core/plugin/view.ts';
import { defined } from '../../core/schema/defined.ts';
import type { ViewPort } from '../../runtime/context/run-handler.ts';
import type { SessionPeer } from '../wire/peers.ts';

/** Where the views of a handler appear when the panel is in another realm. */
export function servedViews(panel: SessionPeer): ViewPort {
  return {
    render: (view, props) => panel.call('render', viewData(view, props)),
    show: (view, props) => panel.call('show', viewData(view, props)),
    reportProgress: (message, progress) => panel.call('busy', { message, ...defined({ progress }) }),
  };
}

function viewData({ key, name }: ViewReference, props: JsonObject) {
  return { reference: { kind: 'parley.view' as const, key, name }, props };
}
