import { APP_CALL, isJsonObject } from '../../src/panel-port/index.ts';
import type { AppPort, Sought } from './app-port.ts';
import type { FollowState } from './app-view.tsx';
import type { Bridge, Handshake } from './bridge.ts';
import { endOfResult, type ResultEnd } from './end-of-result.ts';

/**
 * Follows the call of this page, from what its host says of it. A host that says so only when the call's request is answered says with
 * its result which call it is; at the end of that one the page tells the model.
 */
export function followCall(
  bridge: Bridge,
  port: AppPort,
  host: Handshake,
  become: (next: FollowState, end?: ResultEnd) => void,
): void {
  let sought: Sought | undefined;
  let now: FollowState = 'beginning';
  /** What the result has said of the call. */
  let known: Pick<Sought, 'call' | 'over'> = {};
  let end: ResultEnd | undefined;
  const set = (next: FollowState): void => {
    now = next;
    become(next, end);
  };
  const follow = (what: Sought): void => {
    sought = what;
    set('open');
    port.follow(what).then(
      ({ state, told }) => {
        // What was followed before the result said which call it is may be another one.
        if (sought !== what) return;
        set(state === 'gone' && what.over ? 'ended' : state);
        if (told) tellModel(bridge, host, told);
      },
      () => sought === what && set('lost'),
    );
  };

  bridge.on('ui/notifications/tool-input', (params) => {
    if (sought) return;
    const given = isJsonObject(params) ? params.arguments : undefined;
    const { id } = host.context.toolInfo ?? {};
    const { toolCallId } = host.context.toolCall ?? {};
    follow({
      input: isJsonObject(given) ? given : {},
      ...(typeof id === 'string' || typeof id === 'number' ? { request: id } : {}),
      ...(typeof toolCallId === 'string' ? { hostCall: toolCallId } : {}),
      ...known,
    });
  });
  bridge.on('ui/notifications/tool-result', (params) => {
    const meta = isJsonObject(params) ? params._meta : undefined;
    const call = isJsonObject(meta) ? meta[APP_CALL] : undefined;
    known = typeof call === 'string' ? { call } : { over: true };
    if (isJsonObject(params) && known.over) end = endOfResult(params);
    // An end that the page has been told of is its call's.
    if (sought && now !== 'ended') follow({ ...sought, ...known });
  });
}

/** Gives the model what came of a call whose request was answered before. */
function tellModel({ request }: Bridge, { capabilities }: Handshake, told: object): void {
  const said = { type: 'text', text: 'The call that asked on this page is over; its result is here.' };
  const failed = (error: unknown): void => console.warn('parley: the model was not told of the end', error);
  const context = capabilities.updateModelContext
    ? request('ui/update-model-context', told)
    : Promise.resolve();
  const content = 'content' in told && Array.isArray(told.content) ? told.content : [];
  context
    .then(async () => {
      if (!capabilities.message) return;
      const text = capabilities.updateModelContext ? [] : content;
      await request('ui/message', { role: 'user', content: [said, ...text] });
    })
    .catch(failed);
}
