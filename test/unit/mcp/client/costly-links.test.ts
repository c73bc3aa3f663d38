import { expect, test } from 'vitest';
import { addressesOf, readdressed } from '#src/mcp/client/offers/addresses.ts';
import { NO_OFFERS } from '#src/mcp/client/offers/read-offers.ts';

const variables = (count: number) => Array.from({ length: count }, (_, index) => `{v${index}}`).join('');

/** The addresses of a server with these templates. */
function offering(uriTemplates: readonly string[]) {
  const templates = uriTemplates.map((uriTemplate) => ({ name: 'x', uriTemplate }));
  const offers = { ...NO_OFFERS, templates };
  return addressesOf({ name: 'odd', offers: () => offers });
}

const link = (uri: string) => ({ type: 'resource_link', uri });

test('a thousand links of a result are each looked up where templates are as people write them', () => {
  const addresses = offering(['note://{id}', 'file://{+path}', 'repo://{owner}/{name}/{+path}']);
  const links = Array.from({ length: 1000 }, (_, index) => link(`repo://ada/notes/${index}.md`));
  const seen = readdressed(links, addresses);
  expect(seen).toEqual(links.map(({ uri }) => link(`parley:odd/${uri}`)));
});

test('a server whose templates are made to cost much has links left as they are, and keeps nobody', () => {
  // None of the first fits, and each looks at every character for each of its variables.
  const costly = Array.from({ length: 5_000 }, (_, index) => `x${variables(50)}!${index}`);
  const addresses = offering([...costly, 'x{+all}']);
  const links = Array.from({ length: 100 }, () => link(`x${'a'.repeat(8_000)}`));
  expect(readdressed(links, addresses)).toEqual(links);
  // The next result is looked at again.
  const short = [link('x1')];
  expect(readdressed(short, addresses)).toEqual([link('parley:odd/x1')]);
});
