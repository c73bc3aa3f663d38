import { ToolDefinitionError } from '../errors/definition-errors.ts';
import type { ListedFacts } from '../messages/icon.ts';
import { defined } from '../schema/defined.ts';
import { isObject } from '../schema/is-object.ts';
import { isAsync } from './is-async.ts';
import type { Durability } from './step.ts';
import type {
  Accepts,
  EditorInfo,
  Phases,
  TaskSupport,
  ToolAnnotations,
  ToolLimits,
  ToolRequirements,
} from './tool.ts';

const NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/** Whether a string can name a tool or an elicitation: what every model and every client takes. */
export function isName(name: unknown): name is string {
  return typeof name === 'string' && NAME.test(name);
}

/** @throws `ToolDefinitionError` for a name that some model or client would refuse. */
export function checkToolName(name: unknown, what = 'tool'): void {
  if (isName(name)) return;
  if (typeof name === 'object')
    throw new ToolDefinitionError(
      `a ${what} begins with its name as text, and all else are steps: createMcpTool('name').description('…').parameters(z.object({ … }))`,
    );
  throw new ToolDefinitionError(
    `'${String(name)}' cannot name a ${what}: use 1 to 64 letters (a-z, A-Z), digits, '_' and '-'`,
  );
}

/** The text. @throws `ToolDefinitionError` when there is none. */
export function checkText(at: string, step: string, text: unknown): string {
  if (typeof text === 'string' && text.trim() !== '') return text;
  throw new ToolDefinitionError(`${at}: .${step}() takes a text that is not empty`);
}

/**
 * Icons and `_meta`, frozen. @throws `ToolDefinitionError` for what is not JSON, or no client could read, and for other fields than
 * these and `also`
 */
export function checkAbout(at: string, about: ListedFacts, also: readonly string[] = []): ListedFacts {
  const { icons, _meta } = asJson(at, about);
  knownFields(at, 'about', about, ['icons', '_meta', ...also]);
  // A client that cannot read one of them reads none of the list.
  if (icons !== undefined && !(Array.isArray(icons) && icons.every(isIcon))) {
    throw new ToolDefinitionError(`${at}: .about() takes icons as a list of { src: '…' }`);
  }
  if (_meta !== undefined && !isObject(_meta)) {
    throw new ToolDefinitionError(`${at}: .about() takes _meta as an object`);
  }
  return Object.freeze({ ...defined({ icons, _meta }) });
}

function asJson(at: string, about: ListedFacts): ListedFacts {
  try {
    const { icons, _meta }: ListedFacts = JSON.parse(JSON.stringify(about));
    return { ...defined({ icons, _meta }) };
  } catch {
    throw new ToolDefinitionError(`${at}: .about() takes { icons, _meta } as JSON`);
  }
}

function isIcon(icon: unknown): boolean {
  if (!isObject(icon) || typeof icon.src !== 'string') return false;
  const { mimeType, sizes, theme } = icon;
  return (
    (mimeType === undefined || typeof mimeType === 'string') &&
    (sizes === undefined || (Array.isArray(sizes) && sizes.every((size) => typeof size === 'string'))) &&
    (theme === undefined || theme === 'light' || theme === 'dark')
  );
}

const HINTS = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'];

/** The hints, frozen. @throws `ToolDefinitionError` for one that nobody knows, or that a client could not read */
export function checkAnnotations(at: string, annotations: ToolAnnotations): ToolAnnotations {
  const known = knownFields(at, 'annotations', annotations, [...HINTS, 'title']);
  for (const [name, value] of Object.entries(known)) {
    const type = name === 'title' ? 'string' : 'boolean';
    // A client that cannot read one of them reads none of the list.
    if (value !== undefined && typeof value !== type) {
      const wanted = name === 'title' ? 'a text' : 'true or false';
      throw new ToolDefinitionError(`${at}: annotations.${name} is ${wanted}, not ${JSON.stringify(value)}`);
    }
  }
  return Object.freeze({ ...known });
}

/** What a durable tool promises, frozen. @throws `ToolDefinitionError` for a promise that nobody knows */
export function checkDurable(at: string, options: Partial<Durability> = {}): Durability {
  const { forks = false, undo } = knownFields(at, 'durable', options, ['forks', 'undo']);
  if (undo !== undefined && undo !== 'on failure') {
    throw new ToolDefinitionError(`${at}: undo of .durable() is 'on failure', not ${JSON.stringify(undo)}`);
  }
  return Object.freeze({ forks, ...defined({ undo }) });
}

/** How calls are tasks, frozen. @throws `ToolDefinitionError` for what nobody knows */
export function checkTask(at: string, options: Partial<TaskSupport> = {}): TaskSupport {
  const { required = false, asksFirst = false } = knownFields(at, 'task', options, ['required', 'asksFirst']);
  return Object.freeze({ required, asksFirst });
}

/** What a step was given. @throws `ToolDefinitionError` where it is no object, or has a field that would go unheard */
export function knownFields<T extends object>(
  at: string,
  step: string,
  given: T,
  known: readonly string[],
): T {
  if (!isObject(given)) throw new ToolDefinitionError(`${at}: .${step}() takes an object`);
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown === undefined) return given;
  throw new ToolDefinitionError(`${at}: .${step}() knows no '${unknown}': it knows ${known.join(', ')}`);
}

const LIMITS = ['timeout', 'maxDepth', 'maxTokens'];

/** The limits, frozen. @throws `ToolDefinitionError` for a limit that is no positive number, or none. */
export function checkLimits(at: string, limits: ToolLimits): ToolLimits {
  const { timeout, maxDepth, maxTokens } = knownFields(at, 'limits', limits, LIMITS);
  for (const [name, value] of Object.entries({ timeout, maxTokens })) {
    if (value !== undefined && !(typeof value === 'number' && value > 0)) {
      throw new ToolDefinitionError(`${at}: limits.${name} is a number above 0, not ${String(value)}`);
    }
  }
  if (maxDepth !== undefined && !(Number.isInteger(maxDepth) && maxDepth >= 0)) {
    throw new ToolDefinitionError(`${at}: limits.maxDepth is a whole number from 0, not ${String(maxDepth)}`);
  }
  return Object.freeze({ ...limits });
}

/** The code of a tool. @throws `ToolDefinitionError` when it is no function. */
export function checkCode<F>(at: string, step: string, code: F): F {
  if (typeof code === 'function' && !isAsync(code)) return code;
  throw new ToolDefinitionError(
    `${at}: .${step}() takes a generator function: function* (…) { … }, and \`yield* until(promise)\` for what is asynchronous`,
  );
}

/** The phases, frozen. @throws `ToolDefinitionError` when one is missing. */
export function checkPhases(at: string, phases: Phases): Phases {
  for (const phase of ['before', 'client', 'after'] as const) {
    if (typeof phases?.[phase] !== 'function' || isAsync(phases[phase])) {
      throw new ToolDefinitionError(
        `${at}: .handoff() takes three phases, and '${phase}' is not a generator function`,
      );
    }
  }
  return Object.freeze({ ...phases });
}

/** What a tool can be run on. */
export const ACCEPTS = ['selection', 'file', 'folder'] as const satisfies readonly Accepts[];

/** How the editor offers a tool, frozen. @throws `ToolDefinitionError` for something that it cannot be run on. */
export function checkEditor(at: string, editor: EditorInfo): EditorInfo {
  const accepts = acceptsOf(editor);
  const unknown = accepts.find((one) => !ACCEPTS.includes(one));
  if (unknown !== undefined) {
    throw new ToolDefinitionError(
      `${at}: .editor() knows no accepts '${String(unknown)}': it knows ${ACCEPTS.join(', ')}`,
    );
  }
  if (editor.mends && accepts.length === 0) {
    throw new ToolDefinitionError(
      `${at}: .editor() has mends without what the tool fixes: add accepts: 'file' or 'selection'`,
    );
  }
  const lists = {
    ...(editor.tags ? { tags: Object.freeze([...editor.tags]) } : {}),
    ...(editor.accepts ? { accepts: Object.freeze([...accepts]) } : {}),
  };
  return Object.freeze({ ...editor, ...lists });
}

/** What a tool can be run on, as a list. */
export function acceptsOf({ accepts }: EditorInfo): readonly Accepts[] {
  return accepts === undefined ? [] : typeof accepts === 'string' ? [accepts] : accepts;
}

const MODES = ['form', 'url'];
const CAPABILITIES = ['elicitation', 'sampling', 'roots', 'editor'];

/** What a tool requires, frozen. @throws `ToolDefinitionError` for a capability that nobody knows */
export function checkRequires(at: string, requires: ToolRequirements): ToolRequirements {
  const { elicitation } = knownFields(at, 'requires', requires, CAPABILITIES);
  const mode =
    typeof elicitation === 'object' && Object.keys(elicitation).find((name) => !MODES.includes(name));
  if (typeof mode === 'string') {
    throw new ToolDefinitionError(
      `${at}: .requires() knows no elicitation '${mode}': it knows ${MODES.join(', ')}`,
    );
  }
  return Object.freeze(structuredClone(requires));
}
