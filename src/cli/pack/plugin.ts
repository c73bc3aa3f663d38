import { type AnyTool, toolOf } from '../../core/index.ts';
import { defined } from '../../core/schema/defined.ts';
import type { Collection } from '../collect.ts';
import { described, offersOf } from './described.ts';
import type { PackedInfo } from './entry.ts';

const SCHEMAS = 'https://agent-plugins.org/schemas/1.0.0';
const PROGRAM = 'server/index.mjs';

/** What a plugin says of itself. */
export interface PluginInfo extends PackedInfo {
  readonly author: string | undefined;
  readonly description: string;
}

/**
 * The files of an Agent Plugin, by their paths: the program, who starts it, and a skill that tells a model when to ask.
 * Source: Agent Plugins 1.0.0, agent-plugins.org/specification.
 */
export function agentPlugin(
  program: Uint8Array,
  info: PluginInfo,
  { tools }: Collection,
): Readonly<Record<string, string | Uint8Array>> {
  const { name, version, description, author } = info;
  const json = (value: object) => `${JSON.stringify(value, undefined, 2)}\n`;
  return {
    'plugin.json': json({
      $schema: `${SCHEMAS}/plugin.schema.json`,
      name,
      version,
      description,
      ...defined({ author: author === undefined ? undefined : { name: author } }),
    }),
    'mcp.json': json({
      $schema: `${SCHEMAS}/mcp.schema.json`,
      mcpServers: { [name]: { type: 'stdio', command: 'node', args: [`\${PLUGIN_ROOT}/${PROGRAM}`] } },
    }),
    [`skills/${name}/SKILL.md`]: skillOf(
      info,
      offersOf(tools).map((served) => toolOf(served)),
    ),
    [PROGRAM]: program,
  };
}

function skillOf({ name, description }: PluginInfo, tools: readonly AnyTool[]): string {
  const when = 'Use when a decision, a value or a permission is the user’s to give: these tools ask them.';
  // YAML takes strings of JSON.
  const summary = JSON.stringify(`${description.slice(0, 800).replace(/[.\s]*$/, '.')} ${when}`);
  const list = tools
    .map(described)
    .map((tool) => `- \`${tool.name}\`: ${tool.description.replace(/\s+/g, ' ')}`);
  return `---
name: ${name}
description: ${summary}
---

# ${name}

These tools stop and ask the user in a form, then continue. Call them in place of a question in text, and in place of a guess.

${list.join('\n')}

- Ask before you change what cannot be undone, and when two answers are as good as each other.
- Do not ask for what the user has said, or what you can read.
- A call may take as long as the user needs. If its result says that it is not done yet, do what it says.
- What the user declines is declined: do not ask the same again, and do not do it in another way.
`;
}
