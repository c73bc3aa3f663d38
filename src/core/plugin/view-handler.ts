import type { Operation } from 'effection';
import { isObject } from '../schema/is-object.ts';
import type { ElicitAnswer } from '../tool/ask.ts';
import type { ElicitRequest, PluginClientContext } from './plugin.ts';
import type { PropsOf, ResponseOf, View } from './view.ts';

/** The value of the only field of an answer; nothing where it has several. */
type Only<A> = { [F in keyof A]-?: keyof A extends F ? A[F] : never }[keyof A];
type Given<V> = V extends readonly (infer I)[] ? readonly I[] : V;
/** What a view may respond with: the content of an answer, or the value of its only field. */
type Responses<A> = A | Given<Only<A>>;

/**
 * A handler that shows a view and accepts what it responds with: the content of the answer, or the value of its only field.
 *
 * @example
 * makePlugin(pickColor).onElicit({ color: view(Swatches, ({ colors }) => ({ colors })) }).build();
 */
export function view<P, R extends Pick<ElicitRequest, 'schema'>, A>(
  shown: View<P>,
  props: (request: R) => PropsOf<P>,
  ..._refused: ResponseOf<P> extends Responses<A>
    ? []
    : ['the view responds with something else than this answer']
): (request: R, ctx: PluginClientContext<R>) => Operation<ElicitAnswer<A>> {
  return function* (request, ctx) {
    const response = yield* ctx.render(shown, props(request));
    const [only, ...more] = Object.keys(request.schema.json.properties);
    const isContent =
      only === undefined || more.length > 0 || (isObject(response) && Object.hasOwn(response, only));
    // Whether it fits is checked like any answer.
    return { action: 'accept', content: (isContent ? response : { [only]: response }) as A };
  };
}
