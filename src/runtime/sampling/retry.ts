import type { Message } from '../../core/messages/content.ts';
import type { JsonSchema } from '../../core/messages/json.ts';
import type { SampleAnswer } from '../../core/tool/ask.ts';
import { refusedCalls } from '../../core/tool/exchange/sample-exchange.ts';
import { saidSomething } from './said-something.ts';

/**
 * The messages that put a bad answer before the model again, and say what was wrong with it; with a schema, also what would be
 * right: not every model was shown it where it looks.
 */
export function correction(answer: SampleAnswer, problem: string, schema?: JsonSchema): readonly Message[] {
  const told = schema === undefined ? '' : ` Its JSON schema is ${JSON.stringify(schema)}.`;
  const text = `That answer cannot be used: ${problem}. Answer again, and correct this.${told}`;
  const response: Message = { role: 'assistant', content: saidSomething(answer) };
  return [response, refusedCalls(response, text) ?? { role: 'user', content: { type: 'text', text } }];
}
