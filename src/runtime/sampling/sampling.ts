import type { Operation } from 'effection';
import { McpCapabilityError } from '../../core/errors/call-errors.ts';
import { SampleOptionsError, SampleValidationError } from '../../core/errors/sampling-errors.ts';
import { type Message, textOf } from '../../core/messages/content.ts';
import type { JsonSchema } from '../../core/messages/json.ts';
import type { SampleAnswer, SampleAskRequest } from '../../core/tool/ask.ts';
import type { ClientCapabilities } from '../../core/tool/context.ts';
import { refusedCalls, sampleExchange } from '../../core/tool/exchange/sample-exchange.ts';
import type { Sample, SampleSchema, SampleTools } from '../../core/tool/sample.ts';
import { afterHistory } from '../data/json-messages.ts';
import type { Said } from '../journal/said.ts';
import { flattenMessage } from './flatten.ts';
import { type GoalPlan, type GoalReading, planGoal } from './goal.ts';
import { modelSchemaOf } from './model-schema.ts';
import {
  type CheckedSampleOptions,
  checkRetries,
  checkSampleOptions,
  type LooseSampleOptions,
  type SampleGoal,
} from './options.ts';
import { sampleRequest } from './request.ts';
import { saidSomething } from './said-something.ts';
import { answerWithoutThinking } from './without-thinking.ts';

/** What the sampling verbs of a call, or of a branch, work with. */
export interface SamplingEnv {
  readonly toolName: string;
  /** Sends one request to the client's model. `key` names the ask on the 2026-07-28 wire; `said` is what the author's code said. */
  sampleOnce(request: SampleAskRequest, key: string | undefined, said: Said): Operation<SampleAnswer>;
  capabilities(): ClientCapabilities;
  /** The history of prompt samplings. */
  history(): readonly Message[];
  /** Adds a finished prompt sampling to the history: a message of the user and one of the assistant. */
  remember(request: Message, response: Message): void;
  /** The system prompt for samplings that give none. */
  systemPrompt?(): string | undefined;
}

/** So many wrong answers are quoted beside the last one. */
const EARLIER = 4;

/** The three sampling verbs of a context. */
export interface SamplingVerbs {
  readonly sample: Sample;
  readonly sampleSchema: SampleSchema;
  readonly sampleTools: SampleTools;
}

/**
 * The sampling verbs over one primitive. Pure but for what `env` does.
 *
 * @example
 * const { sample, sampleSchema, sampleTools } = createSampling({ toolName, sampleOnce, capabilities, history, remember });
 */
export function createSampling(env: SamplingEnv): SamplingVerbs {
  return {
    sample: ((options: LooseSampleOptions) => sampleOne(env, options)) as Sample,
    sampleSchema: ((options: LooseSampleOptions) => sampleGuaranteed(env, options, 'schema')) as SampleSchema,
    sampleTools: ((options: LooseSampleOptions) => sampleGuaranteed(env, options, 'tools')) as SampleTools,
  };
}

function* sampleOne(env: SamplingEnv, options: LooseSampleOptions): Operation<unknown> {
  const plan = planSampling(env, checkSampleOptions(options));
  const attempt = yield* ask(env, plan, []);
  return finished(env, plan, attempt);
}

function* sampleGuaranteed(
  env: SamplingEnv,
  options: LooseSampleOptions,
  kind: 'schema' | 'tools',
): Operation<unknown> {
  const retries = checkRetries(options?.retries);
  const checked = checkSampleOptions(options);
  if (checked.goal.kind !== kind) {
    throw new SampleOptionsError(
      kind === 'schema' ? 'sampleSchema takes a schema' : 'sampleTools takes tools: pass at least one',
    );
  }
  const plan = planSampling(env, { ...checked, goal: insistent(checked.goal) });
  const { goal } = checked;
  let extra: readonly Message[] = [];
  let earlier: readonly Message[] = [];
  for (let attempts = 1; ; attempts++) {
    const attempt = yield* ask(env, plan, extra);
    const { answer, reading } = attempt;
    if (reading.problem === undefined) return finished(env, plan, attempt);
    if (attempts > retries)
      throw new SampleValidationError({ attempts, problem: reading.problem, lastAnswer: answer });
    const wanted =
      goal.kind === 'schema' ? modelSchemaOf(goal.schema, 'the schema of a sampling').json : undefined;
    // The conversation must not grow with the number of retries; the schema is said once.
    extra = [...earlier, ...correction(answer, reading.problem, wanted)];
    earlier = [...earlier, ...correction(answer, reading.problem)].slice(-2 * EARLIER);
  }
}

/** Tool calls that are to be guaranteed are required of the model, too, unless the tool's author says otherwise. */
function insistent(goal: SampleGoal): SampleGoal {
  if (goal.kind !== 'tools') return goal;
  if (goal.toolChoice?.mode === 'none') {
    throw new SampleOptionsError(
      "sampleTools waits for a tool call, which toolChoice 'none' forbids: use sample",
    );
  }
  return { ...goal, toolChoice: goal.toolChoice ?? { mode: 'required' }, mustCall: true };
}

interface SamplingPlan extends CheckedSampleOptions {
  readonly messages: readonly Message[];
  readonly question: Message;
  readonly canUseTools: boolean;
  readonly goalPlan: GoalPlan;
}

function planSampling(env: SamplingEnv, checked: CheckedSampleOptions): SamplingPlan {
  const { sampling } = env.capabilities();
  if (!sampling) throw new McpCapabilityError({ toolName: env.toolName, capability: 'sampling' });
  if (checked.goal.kind === 'tools' && !sampling.tools) {
    throw new McpCapabilityError({ toolName: env.toolName, capability: 'sampling.tools' });
  }
  const messages = messagesOf(env, checked.source);
  return {
    ...checked,
    messages,
    question: messages.findLast((message) => message.role === 'user') ?? (messages.at(-1) as Message),
    canUseTools: sampling.tools,
    goalPlan: planGoal(checked.goal, sampling.tools),
  };
}

function messagesOf(env: SamplingEnv, source: CheckedSampleOptions['source']): readonly Message[] {
  if (source.kind === 'messages') return source.messages;
  return afterHistory(env.history(), { role: 'user', content: { type: 'text', text: source.prompt } });
}

/** What the author said, of which Parley made the request: the same in every version of Parley. */
function saidBy({ source, goal }: SamplingPlan, request: SampleAskRequest, again: boolean): Said {
  const { systemPrompt, temperature, stopSequences, modelPreferences, metadata, includeContext } = request;
  const more = metadata || includeContext ? [metadata, includeContext] : [];
  const tools = goal.kind === 'tools' ? [goal.tools.map(({ name }) => name), goal.toolChoice] : [];
  return {
    // A list that its author goes on with is another one in the end.
    words: source.kind === 'prompt' ? source.prompt : [...source.messages],
    about: [goal.kind, ...tools, systemPrompt, temperature, stopSequences, modelPreferences, again, ...more],
  };
}

interface Attempt {
  readonly answer: SampleAnswer;
  readonly reading: GoalReading;
}

function* ask(env: SamplingEnv, plan: SamplingPlan, extra: readonly Message[]): Operation<Attempt> {
  const { settings, canUseTools, goalPlan } = plan;
  const request = sampleRequest({
    messages: extra.length > 0 ? [...plan.messages, ...extra] : plan.messages,
    form: goalPlan.form,
    settings,
    inheritedSystemPrompt: env.systemPrompt?.(),
    canUseTools,
  });
  const answer = answerWithoutThinking(
    yield* env.sampleOnce(request, settings.key, saidBy(plan, request, extra.length > 0)),
  );
  return { answer, reading: yield* goalPlan.read(answer) };
}

function finished(env: SamplingEnv, plan: SamplingPlan, { answer, reading }: Attempt): unknown {
  const response: Message = { role: 'assistant', content: reading.content ?? answer.content };
  if (plan.source.kind === 'prompt') {
    env.remember(plan.question, flattenMessage({ role: 'assistant', content: saidSomething(response) }));
  }
  return {
    text: textOf(answer),
    model: answer.model,
    stopReason: answer.stopReason ?? 'endTurn',
    exchange: {
      ...sampleExchange(plan.question, response),
      ...('parsed' in reading.result ? { parsed: reading.result.parsed } : {}),
    },
    ...reading.result,
  };
}

/**
 * The messages that put a bad answer before the model again, and say what was wrong with it; with a schema, also what would be
 * right: not every model was shown it where it looks.
 */
function correction(answer: SampleAnswer, problem: string, schema?: JsonSchema): readonly Message[] {
  const told = schema === undefined ? '' : ` Its JSON schema is ${JSON.stringify(schema)}.`;
  const text = `That answer cannot be used: ${problem}. Answer again, and correct this.${told}`;
  const response: Message = { role: 'assistant', content: saidSomething(answer) };
  return [response, refusedCalls(response, text) ?? { role: 'user', content: { type: 'text', text } }];
}
