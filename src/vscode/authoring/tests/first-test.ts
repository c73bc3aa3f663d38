import type { JsonSchema, JsonValue } from '../../../core/messages/json.ts';
import { testImports } from '../../../workspace/scaffold/index.ts';
import { literal, quoted } from './literal.ts';
import type { ToolToTest } from './tool-to-test.ts';

/** A test to begin with: it calls the tool with what it needs, and fails until its author says what is expected. */
export function firstTestSource(
  toolName: string,
  { name, from }: ToolToTest['exported'],
  parameters: JsonSchema,
): string {
  const isDefault = name === 'default';
  const named = isDefault ? 'tool' : name;
  return `${testImports('createMockMcpClient, runMcpTool')}
import ${isDefault ? named : `{ ${named} }`} from ${quoted(from)};

test(${quoted(`${toolName} gives what is expected`)}, async () => {
  // What the tool asks is answered here: elicitResponses, sampleResponses.
  const client = createMockMcpClient({});
  const result = await runMcpTool(${named}, ${literal(exampleOf(parameters), '  ')}, client);
  assert.deepEqual(result, 'what is expected');
});
`;
}

/** A value of the right type, where a schema says it: what is required, and nothing else. */
function exampleOf(schema: unknown): JsonValue {
  if (!isRecord(schema)) return null;
  if ('default' in schema) return schema.default as JsonValue;
  if ('const' in schema) return schema.const as JsonValue;
  if (Array.isArray(schema.enum)) return (schema.enum[0] ?? null) as JsonValue;
  const either = [schema.anyOf, schema.oneOf, schema.allOf].find(Array.isArray);
  if (either) return exampleOf(either[0]);
  switch ([schema.type].flat()[0]) {
    case 'string':
      return '';
    case 'number':
    case 'integer':
      return typeof schema.minimum === 'number' ? schema.minimum : 0;
    case 'boolean':
      return false;
    case 'array':
      return [];
    case 'object': {
      const properties = isRecord(schema.properties) ? schema.properties : {};
      const required = Array.isArray(schema.required) ? schema.required.map(String) : [];
      return Object.fromEntries(required.map((name) => [name, exampleOf(properties[name])]));
    }
    default:
      return null;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
