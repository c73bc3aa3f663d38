import type { Operation } from 'effection';
import type { FormJsonSchema } from '../form/form-schema.ts';
import type { Message } from '../messages/content.ts';
import type { ElicitAnswer, SampleAnswer, SampleAskRequest } from '../tool/ask.ts';
import type { Progress } from '../tool/context.ts';
import type { AnswerOf, ContentOf, ContextOf, ElicitRef, ResponseSchemaOf } from '../tool/elicit.ts';
import type { Step } from '../tool/step.ts';
import type { AnyTool, ElicitsOf, HandoffOf, ParamsOf } from '../tool/tool.ts';
import type { PropsOf, ResponseOf, View } from './view.ts';

/** What a handler is asked: the declared context's fields stand beside these. */
export type ElicitRequest<
  T extends AnyTool = AnyTool,
  K extends keyof ElicitsOf<T> = keyof ElicitsOf<T>,
> = ElicitRef & {
  /** Which elicitation of which call; the same when it is asked again. */
  readonly id: ElicitRef;
  /** The session's own id of the question: what answers name. */
  readonly askId: string;
  readonly key: K;
  readonly message: string;
  readonly schema: { readonly zod: ResponseSchemaOf<ElicitsOf<T>[K]>; readonly json: FormJsonSchema };
  /** What its fields begin with: the answer that was given before, where the person went back, or what the tool gave as `values`. */
  readonly values: { readonly [F in keyof AnswerOf<ElicitsOf<T>[K]>]?: AnswerOf<ElicitsOf<T>[K]>[F] };
  readonly params: ParamsOf<T>;
  readonly handoff: HandoffOf<T>;
  /** 1 at first, one more each time the answer was invalid. */
  readonly attempt: number;
  /** What was wrong with the last answer. */
  readonly problem?: string;
} & ContextOf<ElicitsOf<T>[K]>;

/** What a handler works with. The panel, not the handler, offers Decline and Cancel: either halts it. */
export interface PluginClientContext<Request = ElicitRequest> {
  readonly elicitRequest: Request;
  readonly callId: string;
  /** Aborts when the handler is halted. */
  readonly signal: AbortSignal;
  /** Shows a view and waits for its `onRespond`. @throws `ViewError` when the view crashes or is unknown. */
  render<P>(view: View<P>, props: PropsOf<P>): Operation<ResponseOf<P>>;
  /** Shows a view and goes on. */
  show<P>(view: View<P>, props: PropsOf<P>): Operation<void>;
  /** Says in the question's place what the handler is doing. */
  reportProgress(message: string, progress?: Progress): Operation<void>;
}

/** Answers one declared elicitation. What it accepts is validated with the original schema. */
export type ElicitHandler<T extends AnyTool, K extends keyof ElicitsOf<T>> = (
  request: ElicitRequest<T, K>,
  ctx: PluginClientContext<ElicitRequest<T, K>>,
) => Operation<ElicitAnswer<AnswerOf<ElicitsOf<T>[K]>>>;

/** One handler per declared elicitation: no more, no less. `'form'` says that the schema form is good enough. */
export type ElicitHandlers<T extends AnyTool> = {
  readonly [K in keyof ElicitsOf<T>]: ElicitHandler<T, K> | 'form';
};

/** A handler without its types, as the runtime calls it. */
export type AnyElicitHandler = (
  request: ElicitRequest,
  ctx: PluginClientContext,
) => Operation<ElicitAnswer<unknown>>;

/** Facts about the sampling that a {@link PluginSamplingConfig} step works on. */
export interface SamplingContext {
  readonly toolName: string;
  readonly callId: string;
  readonly request: SampleAskRequest;
  readonly signal: AbortSignal;
  /** What happens once in the life of a durable call, for these steps run again when it is replayed. See `ctx.step`. */
  readonly step: Step;
}

/** Sends a request to the client's model. */
export type SamplingProvider = (request: SampleAskRequest) => Operation<SampleAnswer>;

/** Steps around every sampling of a plugin's tool; each is optional. */
export interface PluginSamplingConfig {
  /** Prepares the messages. */
  before?(messages: readonly Message[], ctx: SamplingContext): Operation<readonly Message[]>;
  /** Does the sampling, by calling `provider` once, several times or not at all. */
  act?(prepared: SampleAskRequest, provider: SamplingProvider, ctx: SamplingContext): Operation<SampleAnswer>;
  /** Changes or checks what came back. */
  after?(result: SampleAnswer, ctx: SamplingContext): Operation<SampleAnswer>;
}

/** A tool with its handlers, ready to register: `server` runs the tool, `client` answers it, `mcp` is what a wire lists. */
export interface Plugin<T extends AnyTool = AnyTool> {
  readonly kind: 'parley.plugin';
  readonly server: { readonly tools: readonly [T]; readonly sampling: PluginSamplingConfig };
  readonly client: {
    readonly toolName: string;
    /** By key; an elicitation without one gets the schema form. */
    readonly handlers: Readonly<Record<string, AnyElicitHandler>>;
  };
  readonly mcp: T;
}

/** Any plugin, whatever its tool's types: what registries hold. */
export type AnyPlugin = Plugin;

/** Content that a declared elicitation resolves to, by tool and key. */
export type ElicitContent<T extends AnyTool, K extends keyof ElicitsOf<T>> = ContentOf<ElicitsOf<T>[K]>;
