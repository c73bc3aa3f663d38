import { ToolDefinitionError } from '../errors/definition-errors.ts';
import { compileFormSchema } from '../form/compile-form-schema.ts';
import { isObject } from '../schema/is-object.ts';
import { jsonSchemaOf } from '../schema/json-schema-of.ts';
import type { Schema } from '../schema/schema.ts';
import { isSchema } from '../schema/schema-generation.ts';
import type { ElicitDeclaration, ElicitDeclarations } from './elicit.ts';
import { isReservedContextField } from './reserved-fields.ts';
import type { ElicitDefinition } from './tool.ts';
import { isName } from './tool-checks.ts';

/**
 * Compiles what a tool, a prompt or a resource declares it may ask.
 *
 * @param of which one it is: `tool 'book'`
 * @throws `ToolDefinitionError` naming it, key and property.
 */
export function compileElicits(
  of: string,
  declarations: ElicitDeclarations,
): Readonly<Record<string, ElicitDefinition>> {
  if (!isObject(declarations) || isSchema(declarations)) {
    throw new ToolDefinitionError(
      `${of}: .elicits() takes an object with the schema of each question under its key: { key: z.object({ … }) }, {} for none`,
    );
  }
  const compiled: Record<string, ElicitDefinition> = {};
  for (const [key, declaration] of Object.entries(declarations)) {
    const where = `elicitation '${key}' of ${of}`;
    if (!isName(key)) {
      throw new ToolDefinitionError(
        `${where}: a key has 1 to 64 letters (a-z, A-Z), digits, '_' and '-', so that every protocol can carry it`,
      );
    }
    const { response, context } = parts(declaration, where);
    const json = compileFormSchema(response, { of, key });
    if (context !== undefined) checkContext(context, where);
    compiled[key] = Object.freeze({ key, response, context, json });
  }
  return Object.freeze(compiled);
}

function parts(declaration: ElicitDeclaration, where: string) {
  if (isSchema(declaration)) return { response: declaration, context: undefined };
  const { response, context } = (declaration ?? {}) as { response?: Schema; context?: Schema };
  if (isSchema(response) && isSchema(context)) return { response, context };
  throw new ToolDefinitionError(
    `${where}: declare the schema of the answer, such as z.object({ … }), or { response, context } with the schemas of the answer and of what a handler is told`,
  );
}

function checkContext(context: Schema, where: string): void {
  const json = jsonSchemaOf(context, 'input', `the context of ${where}`);
  if (json.type !== 'object') {
    throw new ToolDefinitionError(`the context of ${where}: a context is an object: use z.object({ … })`);
  }
  for (const field of Object.keys(json.properties ?? {})) {
    if (isReservedContextField(field)) {
      throw new ToolDefinitionError(
        `the context of ${where}: a context field may not be called '${field}', every request has a field of that name: rename it`,
        { details: { property: field } },
      );
    }
  }
}
