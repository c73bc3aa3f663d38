import { all } from 'effection';
import { createMcpTool } from 'parley-mcp';
import * as z from 'zod';

const nothing = z.object({});
const aName = z.object({ name: z.string() });
const aConfirmation = z.object({ ok: z.boolean() });

export const oneQuestion = createMcpTool('test_input_required_result_elicitation')
  .description('Asks for a name')
  .parameters(nothing)
  .elicits({ user_name: aName })
  .execute(function* (_params, ctx) {
    const answer = yield* ctx.elicit('user_name', { message: 'What is your name?' });
    return answer.action === 'accept' ? `Hello, ${answer.content.name}!` : 'Hello, whoever you are!';
  });

export const oneSampling = createMcpTool('test_input_required_result_sampling')
  .description('Asks the model for a capital')
  .parameters(nothing)
  .elicits({})
  .execute(function* (_params, ctx) {
    const { text } = yield* ctx.sample({
      prompt: 'What is the capital of France?',
      maxTokens: 100,
      key: 'capital_question',
    });
    return text;
  });

export const rootsOnly = createMcpTool('test_input_required_result_list_roots')
  .description('Asks for the folders of the client')
  .parameters(nothing)
  .elicits({})
  .execute(function* (_params, ctx) {
    const roots = yield* ctx.roots({ key: 'client_roots' });
    return `Roots: ${roots.map(({ uri }) => uri).join(', ')}`;
  });

export const stateful = createMcpTool('test_input_required_result_request_state')
  .description('Asks for a confirmation')
  .parameters(nothing)
  .elicits({ confirm: aConfirmation })
  .execute(function* (_params, ctx) {
    yield* ctx.elicit('confirm', { message: 'Please confirm' });
    return 'state-ok';
  });

export const tampered = createMcpTool('test_input_required_result_tampered_state')
  .description('Asks for a confirmation, under a state that must not be changed')
  .parameters(nothing)
  .elicits({ confirm: aConfirmation })
  .execute(function* (_params, ctx) {
    yield* ctx.elicit('confirm', { message: 'Please confirm' });
    return 'state-ok';
  });

export const three = createMcpTool('test_input_required_result_multiple_inputs')
  .description('Asks the user, the model and the client at once')
  .parameters(nothing)
  .elicits({ user_name: aName })
  .execute(function* (_params, ctx) {
    const [answer, greeting, roots] = yield* all([
      ctx.elicit('user_name', { message: 'What is your name?' }),
      ctx.sample({ prompt: 'Generate a greeting', maxTokens: 50, key: 'greeting' }),
      ctx.roots({ key: 'client_roots' }),
    ]);
    const name = answer.action === 'accept' ? answer.content.name : 'nobody';
    return `${greeting.text} ${name}, working in ${roots.length} folders`;
  });

export const rounds = createMcpTool('test_input_required_result_multi_round')
  .description('Asks two questions, one after the other')
  .parameters(nothing)
  .elicits({ step1: aName, step2: z.object({ color: z.string() }) })
  .execute(function* (_params, ctx) {
    const first = yield* ctx.elicit.strict('step1', { message: 'Step 1: What is your name?' });
    const second = yield* ctx.elicit.strict('step2', { message: 'Step 2: What is your favorite color?' });
    return `${first.name} likes ${second.color}`;
  });

export const whatTheClientCan = createMcpTool('test_input_required_result_capabilities')
  .description('Asks whoever the client has: the user, or else the model')
  .parameters(nothing)
  .elicits({ user_name: aName })
  .execute(function* (_params, ctx) {
    if (ctx.capabilities.elicitation) {
      yield* ctx.elicit('user_name', { message: 'What is your name?' });
      return 'asked the user';
    }
    yield* ctx.sample({ prompt: 'Generate a greeting', maxTokens: 50, key: 'greeting' });
    return 'asked the model';
  });
