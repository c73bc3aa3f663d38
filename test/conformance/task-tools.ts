import { all } from 'effection';
import { createMcpTool } from 'parley-mcp';
import * as z from 'zod';

const nothing = z.object({});

export const greet = createMcpTool('greet')
  .description('Greets at once')
  .parameters(z.object({ name: z.string() }))
  .elicits({})
  .execute(function* ({ name }) {
    return `Hello, ${name}!`;
  });

export const slow = createMcpTool('slow_compute')
  .description('Takes its time')
  .parameters(z.object({ seconds: z.number(), label: z.string().optional() }))
  .task()
  .elicits({})
  .execute(function* ({ seconds, label }, ctx) {
    yield* ctx.sleep(seconds * 1000);
    return `${label ?? 'it'} took ${seconds} s`;
  });

export const failing = createMcpTool('failing_job')
  .description('Fails after a second')
  .parameters(nothing)
  .task({ required: true })
  .elicits({})
  .execute(function* (_params, ctx) {
    yield* ctx.sleep(1000);
    throw new Error('the job failed');
  });

export const protocolError = createMcpTool('protocol_error_job')
  .description('Needs what the client of the suite does not have, which is an error of the protocol')
  .parameters(nothing)
  .task()
  .elicits({})
  .execute(function* (_params, ctx) {
    yield* ctx.roots();
    return 'the client has folders';
  });

export const confirmDelete = createMcpTool('confirm_delete')
  .description('Asks before it deletes')
  .parameters(z.object({ filename: z.string() }))
  .task()
  .elicits({ sure: z.object({ confirm: z.boolean() }) })
  .execute(function* ({ filename }, ctx) {
    const { confirm } = yield* ctx.elicit.strict('sure', { message: `Delete ${filename}?` });
    return confirm ? `deleted ${filename}` : `kept ${filename}`;
  });

const askName = createMcpTool('ask_name')
  .description('Asks for a name')
  .parameters(nothing)
  .elicits({ name: z.object({ name: z.string() }) })
  .execute(function* (_params, ctx) {
    return (yield* ctx.elicit.strict('name', { message: 'Who?' })).name;
  });

const askSure = createMcpTool('ask_sure')
  .description('Asks whether one is sure')
  .parameters(nothing)
  .elicits({ sure: z.object({ confirm: z.boolean() }) })
  .execute(function* (_params, ctx) {
    return String((yield* ctx.elicit.strict('sure', { message: 'Sure?' })).confirm);
  });

export const multiInput = createMcpTool('multi_input')
  .description('Asks two things at once: by two tools, for a tool itself asks one thing at a time')
  .parameters(nothing)
  .task()
  .elicits({})
  .execute(function* (_params, ctx) {
    const [name, sure] = yield* all([ctx.call(askName, {}), ctx.call(askSure, {})]);
    return `${name}: ${sure}`;
  });

export const asksFirst = createMcpTool('test_tool_with_task')
  .description('Asks for a name, and works after that')
  .parameters(nothing)
  .task({ required: true, asksFirst: true })
  .elicits({ user_name: z.object({ name: z.string() }) })
  .execute(function* (_params, ctx) {
    const { name } = yield* ctx.elicit.strict('user_name', { message: 'What is your name?' });
    yield* ctx.sleep(200);
    return `Worked for ${name}`;
  });
