import type { Attributes } from '@opentelemetry/api';
import type { TracedCall } from './trace-context.ts';

/** What a call is called. Names are from OpenTelemetry, "Semantic conventions for Model Context Protocol". */
export function callAttributes({ method, name }: TracedCall): Attributes {
  return {
    'mcp.method.name': method,
    ...(method === 'tools/call' ? { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': name } : {}),
    ...(method === 'prompts/get' ? { 'gen_ai.prompt.name': name } : {}),
  };
}
