import { expect, it } from 'vitest';
import { chooseSurfaces, type PersonSurface, type SurfacesThere } from '#src/mcp/request/choose-surfaces.ts';
import type { Ask } from '#src/runtime/session/ask.ts';

const ALL: SurfacesThere = { app: true, window: true, links: true, page: true };
const both = { elicitation: { form: true, url: true } } as const;
const form = { elicitation: { form: true } } as const;
const url = { elicitation: { url: true } } as const;

it.each<[string, Parameters<typeof chooseSurfaces>[1], SurfacesThere, readonly PersonSurface[]]>([
  ['all there is, in order', both, ALL, ['app', 'form', 'window', 'link', 'page']],
  ['its own form before anything else', form, { page: true, window: true }, ['form', 'window', 'page']],
  ['the window of the folder before a page', {}, { page: true, window: true }, ['window', 'page']],
  [
    'a page that it opens before one that is opened for it',
    url,
    { page: true, links: true },
    ['link', 'page'],
  ],
  ['no page that it opens where none is published', url, { page: true }, ['page']],
  ['nothing, where nobody can be asked', {}, {}, []],
])('a client has %s', (_, has, there, surfaces) => {
  expect(chooseSurfaces(undefined, has, there)).toEqual(surfaces);
});

it.each([
  ['an address to open', { kind: 'elicit', request: { mode: 'url' } }],
  ['what is answered in an editor', { kind: 'elicit', inEditor: true, request: {} }],
  ['a question for a model', { kind: 'sample', request: {} }],
])('%s is for no surface that draws forms', (_, ask) => {
  expect(chooseSurfaces(ask as unknown as Ask, both, ALL)).toEqual([]);
});
