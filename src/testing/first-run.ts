import type { Operation } from 'effection';
import { ToolCodeError } from '../core/errors/definition-errors.ts';
import type { JsonObject } from '../core/messages/json.ts';
import { jsonSchemaOf } from '../core/schema/json-schema-of.ts';
import { generationOf } from '../core/schema/schema-generation.ts';
import type { AnyTool } from '../core/tool/tool.ts';
import { FaultsContext } from '../runtime/session/faults.ts';
import { forgottenIn, forgottenText } from '../source/forgotten.ts';
import { misspeltMeta, slipsIn } from '../source/slips.ts';

/** @throws `ToolCodeError` for a verb without `yield*` that a run did not come to */
export function refuseForgotten(tool: AnyTool): void {
  for (const code of codesOf(tool)) {
    const [forgotten] = forgottenIn(code);
    if (!forgotten) continue;
    const where = `in the line “${lineAt(code, forgotten.start)}”, which this run did not come to`;
    throw new ToolCodeError({ toolName: tool.name, problem: `${forgottenText(forgotten)}, ${where}` });
  }
}

const looked = new WeakSet<AnyTool>();

/** Reports the usual slips in the code of a tool and in the `.meta()` of its fields, when it is run for the first time. */
export function* reportSlips(tool: AnyTool): Operation<void> {
  if (looked.has(tool)) return;
  looked.add(tool);
  const report = yield* FaultsContext.expect();
  for (const said of new Set(slipsOf(tool))) report({ message: `the code of '${tool.name}': ${said}` });
}

function* slipsOf(tool: AnyTool): Generator<string> {
  // It fails as well where it is not a generator function.
  for (const code of codesOf(tool))
    for (const { start, message } of slipsIn(code))
      if (start >= BEFORE.length) yield `${message}, in the line “${lineAt(code, start)}”`;
  const { parameters, elicits } = tool.def;
  // Those of a tool in another realm do not say what they are.
  const answers = Object.values(elicits)
    .filter(({ response }) => generationOf(response) !== 'unknown')
    .map(({ key, response }) => jsonSchemaOf(response, 'input', key, { anyDefault: true }));
  // Each is a schema: an object.
  for (const { properties = {} } of [parameters.json, ...answers])
    for (const [field, json] of Object.entries(properties as JsonObject))
      for (const message of Object.keys(json as JsonObject).map(misspeltMeta))
        if (message !== undefined) yield `${message}, in .meta({ … }) of the field '${field}'`;
}

/** What the functions of a tool stand in, in a file. */
const BEFORE = 'createMcpTool().execute(\n';

function codesOf({ def: { body } }: AnyTool): readonly string[] {
  const codes = body.kind === 'execute' ? [body.execute] : Object.values(body.phases);
  // What is imported is written like this by those who bundle, or run tests.
  return codes.map((code) => `${BEFORE}${String(code).replace(/\(0, ?[\w$]+\.(\w+)\)/g, '$1')})`);
}

function lineAt(code: string, at: number): string {
  const [line = ''] = code.slice(code.lastIndexOf('\n', at) + 1).split('\n', 1);
  return line.trim();
}
