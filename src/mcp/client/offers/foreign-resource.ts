import type { ResourceTemplateType, Resource as ResourceWire } from '@modelcontextprotocol/client';
import type { Operation } from 'effection';
import { defined } from '../../../core/schema/defined.ts';
import { createMcpResourceTemplate, resourceAt } from '../../../core/served/create-mcp-resource.ts';
import type { Resource, ResourceContents, ResourceTemplate } from '../../../core/served/resource.ts';
import type { ForeignContext } from '../calls/foreign-context.ts';
import { readContents } from '../reader/read-content.ts';
import type { ServerConnection } from '../server-connection.ts';
import { type Addresses, linkBudget, THEIR_OWN } from './addresses.ts';
import { completer } from './foreign-prompt.ts';
import { offeredOn } from './through.ts';
import { watchResource } from './watch-resource.ts';

/** The resource of a connected server as a resource of ours. */
export function foreignResource(
  connection: ServerConnection,
  info: ResourceWire,
  addresses: Addresses = THEIR_OWN,
): Resource {
  const { uri, description, title, name } = info;
  return resourceAt(addresses.outside(uri), description?.trim() || title || name || uri)
    .about(factsOf(info))
    .watch((_watched, changed) => watchResource(connection, uri, changed))
    .read((_asked, ctx) => read(connection, uri, addresses, ctx));
}

/** The resource template of a connected server. @throws `ToolDefinitionError` for one that we could not fill in */
export function foreignTemplate(
  connection: ServerConnection,
  info: ResourceTemplateType,
  addresses: Addresses = THEIR_OWN,
): ResourceTemplate {
  const { uriTemplate, description, title, name } = info;
  const variables = [...uriTemplate.matchAll(/\{\+?([^{}]+)\}/g)].map(([, variable = '']) => variable);
  const completers = variables.map((variable) => [
    variable,
    completer(connection, { type: 'ref/resource', uri: uriTemplate }, variable),
  ]);
  return createMcpResourceTemplate(
    addresses.outside(uriTemplate),
    description?.trim() || title || name || uriTemplate,
  )
    .about(factsOf(info))
    .completes(Object.fromEntries(completers))
    .watch((watched, changed) => watchResource(connection, addresses.inside(watched), changed))
    .read((_variables, ctx, uri) => read(connection, addresses.inside(uri), addresses, ctx));
}

function factsOf(info: ResourceWire | ResourceTemplateType) {
  const { name, title, mimeType } = info;
  return { name, ...defined({ title, mimeType }), ...offeredOn(info) };
}

/** Reads a resource as a part of a call. */
export function* readResource(
  connection: ServerConnection,
  uri: string,
  ctx: ForeignContext,
): Operation<readonly ResourceContents[]> {
  const said = yield* connection.request(ctx, (line) => line.request('resources/read', { uri }));
  return readContents(said, uri);
}

function* read(
  connection: ServerConnection,
  uri: string,
  addresses: Addresses,
  ctx: ForeignContext,
): Operation<readonly ResourceContents[]> {
  const given = yield* readResource(connection, uri, ctx);
  const budget = linkBudget();
  const seen = (one: string) => (one === uri ? addresses.outside(uri) : addresses.link(one, budget));
  return given.map((one) => ({ ...one, uri: seen(one.uri) }));
}
