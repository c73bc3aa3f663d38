import type { Prompt, Resource, ResourceTemplateType } from '@modelcontextprotocol/client';
import * as z from 'zod';
import { asLabel } from '../../../core/messages/label.ts';
import { defined } from '../../../core/schema/defined.ts';
import { createMcpTool } from '../../../core/tool/create-mcp-tool.ts';
import type { AnyTool } from '../../../core/tool/tool.ts';
import { asJson } from '../../wire/as-json.ts';
import { foreignName } from '../../wire/foreign-name.ts';
import type { ServerConnection } from '../server-connection.ts';
import { getPrompt } from './foreign-prompt.ts';
import { readResource } from './foreign-resource.ts';

/*
 * Prompts and resources of a server as tools, for a person who wants to look at one: so its arguments have a form, its questions a
 * panel, and what comes of it is a call like any other. Nobody else is offered them.
 */

interface Described {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
}

const started = (connection: ServerConnection, kind: string, { name, title, description }: Described) =>
  createMcpTool(foreignName(connection.name, `${kind}-${name}`)).description(
    description?.trim() || title?.trim() || name.trim() || kind,
  );

const titled = (connection: ServerConnection, { name, title }: Described) =>
  asLabel(`${connection.name}/${asLabel(title ?? '') || name}`) || connection.name;

/** A prompt: its result is its messages. */
export function promptTool(connection: ServerConnection, prompt: Prompt): AnyTool {
  const { name, arguments: args = [] } = prompt;
  return started(connection, 'prompt', prompt)
    .parameters(textFields(args))
    .title(titled(connection, prompt))
    .elicits({})
    .execute(function* (given, ctx) {
      const { messages } = yield* getPrompt(connection, name, given, ctx);
      return {
        content: messages.flatMap(({ role, content }) => [{ type: 'text', text: `${role}:` }, content]),
      };
    });
}

/** A resource: its result is what it reads. */
export function resourceTool(connection: ServerConnection, resource: Resource): AnyTool {
  return started(connection, 'resource', resource)
    .parameters(z.object({}))
    .title(titled(connection, resource))
    .elicits({})
    .execute((_given, ctx) => read(connection, resource.uri, ctx));
}

/** A resource template: its variables are asked for. */
export function templateTool(connection: ServerConnection, template: ResourceTemplateType): AnyTool {
  const { uriTemplate } = template;
  const variables = [...uriTemplate.matchAll(VARIABLE)].map(([, , variable = '']) => ({
    name: variable,
    required: true,
  }));
  return started(connection, 'resource', template)
    .parameters(textFields(variables))
    .title(titled(connection, template))
    .elicits({})
    .execute((given, ctx) => {
      const uri = uriTemplate.replace(VARIABLE, (_all, plus: string, variable: string) => {
        const value = String(given[variable] ?? '');
        return plus === '' ? encodeURIComponent(value) : encodeURI(value);
      });
      return read(connection, uri, ctx);
    });
}

const VARIABLE = /\{(\+?)([^{}]{1,200})\}/g;

function textFields(
  args: readonly {
    readonly name: string;
    readonly description?: string | undefined;
    readonly required?: boolean | undefined;
  }[],
): z.ZodType<Readonly<Record<string, string | undefined>>> {
  const fields = args.map(({ name, description, required }) => {
    const text = z.string().meta(defined({ description }));
    return [name, required ? text : text.optional()] as const;
  });
  return z.object(Object.fromEntries(fields));
}

function* read(connection: ServerConnection, uri: string, ctx: Parameters<ServerConnection['request']>[0]) {
  const contents = yield* readResource(connection, uri, ctx);
  return asJson({ content: contents.map((resource) => ({ type: 'resource', resource })) });
}
