import { asLabel } from '../../../core/messages/label.ts';
import { isObject } from '../../../core/schema/is-object.ts';

type Sdk = typeof import('@modelcontextprotocol/client');

/** What of the answer to a request for a list is handed on. */
export type KeepItems = (method: string, result: Result) => Result;

type Result = Readonly<Record<string, unknown>>;

/** Where the items of each list are, and what the SDK takes for one. */
const LISTS: Readonly<Record<string, { readonly items: string; readonly kind: Kind }>> = {
  'tools/list': { items: 'tools', kind: 'Tool' },
  'prompts/list': { items: 'prompts', kind: 'Prompt' },
  'resources/list': { items: 'resources', kind: 'Resource' },
  'resources/templates/list': { items: 'resourceTemplates', kind: 'ResourceTemplate' },
};

type Kind = 'Tool' | 'Prompt' | 'Resource' | 'ResourceTemplate';

/** Leaves out what is no item, and says why: for one of them the SDK would refuse all that the server lists. */
export function keepWholeItems({ specTypeSchemas }: Sdk, report: (problem: string) => void): KeepItems {
  return (method, result) => {
    const list = Object.hasOwn(LISTS, method) ? LISTS[method] : undefined;
    const listed = list && result[list.items];
    if (!list || !Array.isArray(listed)) return result;
    const schema = specTypeSchemas[list.kind]['~standard'];
    const whole = listed.filter((item: unknown) => {
      const checked = schema.validate(item);
      if (checked instanceof Promise || !checked.issues) return true;
      const name = isObject(item) && typeof item.name === 'string' ? ` ('${asLabel(item.name)}')` : '';
      const [issue] = checked.issues;
      report(`one of its ${list.items}${name} is left out: ${issue ? issueText(issue) : 'it is none'}`);
      return false;
    });
    return whole.length < listed.length ? { ...result, [list.items]: whole } : result;
  };
}

interface Issue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** What a schema has against a value, and where. */
function issueText({ path, message }: Issue): string {
  if (!path?.length) return message;
  return `${path.map((step) => String(typeof step === 'object' ? step.key : step)).join('.')}: ${message}`;
}
