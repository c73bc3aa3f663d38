import type { JsonSchema } from '../../core/messages/json.ts';
import { defined } from '../../core/schema/defined.ts';
import { isObject } from '../../core/schema/is-object.ts';
import type { AnyPrompt } from '../../core/served/prompt.ts';
import type { AnyTool } from '../../core/tool/tool.ts';
import type { Era } from './era.ts';

/** Whether calls of the tool give `structuredContent` in this era: before 2026-07-28 it is always an object. */
export function isStructured(tool: AnyTool, era: Era): boolean {
  const { output } = tool.def;
  return output !== undefined && (era === '2026' || output.json.type === 'object');
}

/** A tool as clients list it; `tasks` where it is served with them. */
export function encodeTool(tool: AnyTool, era: Era, tasks = false): Readonly<Record<string, unknown>> {
  const { name, title, description, annotations, parameters, output, icon, about, task, foreign } = tool.def;
  const shown = title ?? annotations.title;
  return {
    name,
    ...defined({ title: shown }),
    description,
    inputSchema: parameters.json,
    // Clients throw a text away that has no structured content beside it, where it was promised: nothing is for others.
    ...(output !== undefined && !foreign && isStructured(tool, era)
      ? { outputSchema: output.json satisfies JsonSchema }
      : {}),
    ...(tasks && task && era === '2025'
      ? { execution: { taskSupport: task.required ? 'required' : 'optional' } }
      : {}),
    ...(Object.keys(annotations).length > 0 ? { annotations } : {}),
    ...iconsOf(icon),
    ...about,
  };
}

/** A codicon's name means something in VS Code only; an svg travels as a data URI. */
function iconsOf(icon: string | undefined): { icons?: readonly unknown[] } {
  if (icon === undefined || !/^\s*<svg[\s>]/.test(icon)) return {};
  const src = `data:image/svg+xml;base64,${Buffer.from(icon).toString('base64')}`;
  return { icons: [{ src, mimeType: 'image/svg+xml' }] };
}

/** A prompt as clients list it. */
export function encodePrompt(prompt: AnyPrompt): Readonly<Record<string, unknown>> {
  const { name, title, description, arguments: args, tool } = prompt.def;
  return {
    name,
    ...defined({ title }),
    description,
    ...(args.length > 0 ? { arguments: args } : {}),
    ...tool.def.about,
  };
}

const OFFERED = /^(?:tools|prompts|resources|completion)\//;

/** Whether a message needs to know what is offered: it waits for lists that are not complete yet, and no other does. */
export function asksForOffers(message: unknown): boolean {
  return isObject(message) && typeof message.method === 'string' && OFFERED.test(message.method);
}
