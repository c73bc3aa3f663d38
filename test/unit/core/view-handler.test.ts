import { createMcpTool, makePlugin, type View, view } from 'parley-mcp';
import { createMockMcpClient, runMcpTool } from 'parley-mcp/testing';
import { expect, expectTypeOf, it } from 'vitest';
import * as z from 'zod';

/** As the build puts it in the place of a component. */
const viewOf = <Props>(name: string) => ({ kind: 'parley.view', key: name, name }) as unknown as View<Props>;
interface Swatches<V> {
  colors: readonly string[];
  onRespond(value: V): void;
}
const swatches = viewOf<Swatches<string>>('Swatches');
const person = viewOf<{ onRespond(value: { name: string; tags: string[] }): void }>('Person');
const tags = viewOf<{ onRespond(value: readonly string[]): void }>('Tags');

const form = z.object({ name: z.string(), tags: z.array(z.string()) });
const tool = createMcpTool('profile')
  .description('x')
  .parameters(z.object({}))
  .elicits({
    color: { response: form.pick({ name: true }), context: z.object({ colors: z.array(z.string()) }) },
    person: form,
    tags: form.pick({ tags: true }),
  })
  .execute(function* (_, ctx) {
    const color = yield* ctx.elicit.strict('color', { message: 'Which?', colors: ['red', 'blue'] });
    const who = yield* ctx.elicit.strict('person', { message: 'Who?' });
    return [color, who, yield* ctx.elicit.strict('tags', { message: 'Tags?' })];
  });

it('view answers with what a view responds with, or with that as the only field', async () => {
  const plugin = makePlugin(tool)
    .onElicit({
      color: view(swatches, ({ colors, attempt }) => {
        expectTypeOf(colors).toEqualTypeOf<string[]>();
        expectTypeOf(attempt).toBeNumber();
        return { colors };
      }),
      person: view(person, () => ({})),
      tags: view(tags, () => ({})),
    })
    .build();
  const viewResponses = { Swatches: 'red', Person: { name: 'Ada', tags: ['x'] }, Tags: () => ['y', 'z'] };
  const client = createMockMcpClient({ viewResponses });
  expect(await runMcpTool(plugin, {}, client)).toEqual([
    { name: 'red' },
    { name: 'Ada', tags: ['x'] },
    { tags: ['y', 'z'] },
  ]);
  const [first] = client.transcript.filter(({ type }) => type === 'view');
  expect(first).toMatchObject({ props: { colors: ['red', 'blue'] } });
});

it('view does not compile where the view responds with something else, or lacks a prop', () => {
  const wrong = makePlugin(tool);
  expect(() =>
    wrong.onElicit({
      // @ts-expect-error: it responds with a number
      color: view(viewOf<Swatches<number>>('Numbers'), ({ colors }) => ({ colors })),
      // @ts-expect-error: the answer has two fields
      person: view(tags, () => ({})),
      // @ts-expect-error: the view has colors
      tags: view(viewOf<Swatches<string[]>>('Tags'), () => ({})),
    }),
  ).not.toThrow();
});
