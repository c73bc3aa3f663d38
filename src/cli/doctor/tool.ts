import type { Operation } from 'effection';
import * as z from 'zod';
import {
  type ClientCapabilities,
  createMcpTool,
  isParleyError,
  type ToolContext,
  useClock,
} from '../../core/index.ts';
import { type Finding, tableOf } from './table.ts';

/** Faster than anybody reads a form. */
const INHUMAN = 0.4;

/** The report, as Markdown to paste into an issue. It holds no folder, name or answer of the user's. */
function reportOf(capabilities: ClientCapabilities, findings: readonly Finding[]): string {
  return [
    '# What this client does',
    '',
    `It says that it can: \`${JSON.stringify(capabilities)}\``,
    '',
    ...tableOf(findings),
    '',
    ...notesOf(findings),
  ].join('\n');
}

function notesOf(findings: readonly Finding[]): readonly string[] {
  const form = findings.find(({ what }) => what === 'Form');
  if (form?.seconds === undefined) {
    return [
      'Forms are not offered: tools that must ask (`.requires({ elicitation: true })`) are not listed to it.',
    ];
  }
  if (form.seconds < INHUMAN) {
    return [
      `The form was answered after ${form.seconds.toFixed(2)} s: by a machine, or by a client that answers for its user.`,
    ];
  }
  return ['The form was answered at the speed of a person.'];
}

const questions = {
  form: z.object({
    text: z.string().min(1).default('as it is').meta({ title: 'A text' }),
    choice: z
      .enum(['first', 'second'])
      .default('second')
      .meta({ title: 'A choice', enumNames: ['First', 'Second'] }),
    number: z.int().min(1).max(9).default(3).meta({ title: 'A number' }),
    yes: z.boolean().default(true).meta({ title: 'Yes or no' }),
  }),
};

type DoctorContext = ToolContext<typeof questions>;

/** Finds out what the client can really do, by using it, and gives a report to paste. */
export const doctor = createMcpTool('parley_doctor')
  .description(
    'Examines the MCP client that calls it: asks the user one short form, the model one word, and for the folders. ' +
      'Returns a report in Markdown. Call it when the user asks to examine or diagnose this client, and show the report as it is.',
  )
  .parameters(z.object({}))
  .annotations({ readOnlyHint: true, openWorldHint: false })
  .title('Examine this client')
  .elicits(questions)
  .execute(function* (_, ctx) {
    const findings: Finding[] = [];
    const { capabilities } = ctx;
    yield* ctx.notify('Examining the client', { value: 0, total: 3 });
    findings.push(yield* examine('Form', capabilities.elicitation?.form === true, () => askPerson(ctx)));
    yield* ctx.notify('Asking the model', { value: 1, total: 3 });
    findings.push(yield* examine('Sampling', capabilities.sampling !== undefined, () => askModel(ctx)));
    findings.push(
      yield* examine('Sampling with tools', capabilities.sampling?.tools === true, () => askForTool(ctx)),
    );
    yield* ctx.notify('Asking for the folders', { value: 2, total: 3 });
    findings.push(yield* examine('Roots', capabilities.roots === true, () => askRoots(ctx)));
    yield* ctx.log('info', 'a log line of the examination');
    return reportOf(capabilities, findings);
  });

/** Runs one examination and takes the time. What fails is a finding. */
function* examine(what: string, declared: boolean, run: () => Operation<string>): Operation<Finding> {
  if (!declared) return { what, outcome: 'not offered', seconds: undefined };
  const clock = yield* useClock();
  const begun = clock.now();
  const seconds = () => (clock.now() - begun) / 1000;
  try {
    const outcome = yield* run();
    return { what, outcome, seconds: seconds() };
  } catch (error) {
    if (!isParleyError(error)) throw error;
    return { what, outcome: `failed (${error.code}): ${error.message}`, seconds: seconds() };
  }
}

function* askPerson(ctx: DoctorContext): Operation<string> {
  const answer = yield* ctx.elicit('form', {
    message: 'Parley examines this client. Please send the form as it is.',
  });
  if (answer.action !== 'accept') return answer.action;
  const { text, choice, number, yes } = answer.content;
  const kept = text === 'as it is' && choice === 'second' && number === 3 && yes;
  return kept ? 'accepted, with the values it began with' : `accepted: ${JSON.stringify(answer.content)}`;
}

function* askModel(ctx: DoctorContext): Operation<string> {
  const { text, model } = yield* ctx.sample({ prompt: 'Answer with the one word: pong', maxTokens: 20 });
  return /pong/i.test(text)
    ? `answered by ${model}`
    : `answered by ${model}, with something else: ${text.slice(0, 60)}`;
}

function* askForTool(ctx: DoctorContext): Operation<string> {
  const { toolCalls } = yield* ctx.sampleTools({
    prompt: 'Call the tool ping.',
    maxTokens: 100,
    tools: [{ name: 'ping', description: 'Answers.', inputSchema: z.object({}) }],
  });
  return toolCalls.length > 0 ? 'called the tool' : 'did not call the tool';
}

function* askRoots(ctx: DoctorContext): Operation<string> {
  const roots = yield* ctx.roots();
  return `${roots.length} folder${roots.length === 1 ? '' : 's'}`;
}
