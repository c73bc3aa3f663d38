import type { Operation } from 'effection';
import type { FormJsonSchema } from '../form/form-schema.ts';
import type { ListedFacts } from '../messages/icon.ts';
import type { JsonSchema } from '../messages/json.ts';
import type { Schema } from '../schema/schema.ts';
import type { ElicitationModes, ReportContext, ToolContext } from './context.ts';
import type { ElicitDeclarations } from './elicit.ts';
import type { Durability } from './step.ts';

/** Hints about what a tool does, for clients that ask before they run one. Source: MCP "Tools", `ToolAnnotations`. */
export interface ToolAnnotations {
  /** A name for people, where the tool has no `.title()`. */
  readonly title?: string;
  /** It changes nothing. Tools that do not say so are confirmed before they run. */
  readonly readOnlyHint?: boolean;
  /** What it changes may be lost; true where nothing is said and the tool changes something. */
  readonly destructiveHint?: boolean;
  /** The same parameters again change nothing more. */
  readonly idempotentHint?: boolean;
  /** It deals with more than what is on this machine, such as the web. */
  readonly openWorldHint?: boolean;
}

/** What a tool needs of its client before any of its code may run. */
export interface ToolRequirements {
  /** `true` is forms; `{ url: true }` a client that can send the person to a page. */
  readonly elicitation?: boolean | ElicitationModes;
  readonly sampling?: boolean | { readonly tools: boolean };
  readonly roots?: boolean;
  /**
   * The tool changes something in the editor: it runs where an editor lends its abilities, and the person in that window
   * answers its questions, whatever the client that called it could answer. Without it a tool that an outside client calls
   * can look at files and git, and change nothing.
   */
  readonly editor?: boolean;
}

/** What one call may use. `timeout` is milliseconds of machine time (time with a person does not count). */
export interface ToolLimits {
  /** Milliseconds of machine time. */
  readonly timeout?: number;
  /** How many levels of branches there may be; 0 for none. */
  readonly maxDepth?: number;
  /** Tokens that all samplings of the call may use together. */
  readonly maxTokens?: number;
}

/** How calls of a tool are tasks: work that a client looks after with requests of its own, while it goes on without them. */
export interface TaskSupport {
  /** Clients that have no tasks cannot call it. */
  readonly required: boolean;
  /** What it asks first is asked within the request that calls it. It is a task from that answer on. */
  readonly asksFirst: boolean;
}

/** What the editor's tool list shows beyond title and description. */
export interface EditorInfo {
  readonly tags?: readonly string[];
  /** The name after `#` in chat; the tool's name by default. */
  readonly reference?: string;
  /**
   * What the tool can be run on from the menus of the editor and of the Explorer. A file or folder is filled in where a
   * parameter says `.meta({ pick: 'file' })` or `'folder'`, selected text in the first text that is left.
   */
  readonly accepts?: Accepts | readonly Accepts[];
  /** The tool mends problems: it is offered as a quick fix where the editor shows one, in what it accepts. */
  readonly mends?: boolean;
}

/** What a tool can be run on from the editor. */
export type Accepts = 'selection' | 'file' | 'folder';

/** A declared elicitation, compiled. */
export interface ElicitDefinition {
  readonly key: string;
  readonly response: Schema;
  readonly context: Schema | undefined;
  readonly json: FormJsonSchema;
}

/** The three phases of a tool that hands something to its client phase. */
export interface Phases {
  /** Runs once, and asks nobody: what it gives is handed to the other two. */
  before(params: unknown, ctx: ReportContext): Operation<unknown>;
  /** Asks and samples. */
  client(handoff: unknown, ctx: ToolContext, params: unknown): Operation<unknown>;
  /** Runs once, with what both gave; its result is that of the call. */
  after(handoff: unknown, result: unknown, ctx: ReportContext, params: unknown): Operation<unknown>;
}

/** How a tool runs: one generator, or three phases of which the middle one may ask. */
export type ToolBody =
  | { readonly kind: 'execute'; execute(params: unknown, ctx: ToolContext): Operation<unknown> }
  | { readonly kind: 'handoff'; readonly phases: Phases };

/** Whose a tool is that another server has. */
export interface ForeignOrigin {
  /** What the server is called here. */
  readonly server: string;
  /** As the server calls the tool. */
  readonly tool: string;
  /** What the server says of its effects. A claim: only the person who connected it knows whether it is true. */
  readonly claims: ToolAnnotations;
  /** Stays the same for as long as the same is started or reached. */
  readonly reached: string;
  /** Tools call it, and clients do not. */
  readonly unlisted?: true;
}

/**
 * What a tool may say of itself, each in a step of the builder: what the step takes, and what the definition has of it. `tool-facts.ts`
 * says how each is checked, what it is where nothing is said, and how it leaves a realm.
 */
export interface ToolFacts {
  /** What the tool does, in a sentence for people; they read the beginning of its description where there is none. */
  summary(text: string): string | undefined;

  /** MCP's hints about what the tool does; a tool without `readOnlyHint` is confirmed before it runs. */
  annotations(annotations: ToolAnnotations): ToolAnnotations;

  /** What people call the tool. */
  title(text: string): string | undefined;

  /** A codicon's name (`airplane`), or an svg. */
  icon(icon: string): string | undefined;

  /** Icons and `_meta`, for MCP clients that know what to make of them. JSON. */
  about(about: ListedFacts): ListedFacts;

  /** How the editor lists and offers the tool: tags, its name after `#`, what it can be run on. */
  editor(editor: EditorInfo): EditorInfo;

  /** What the client must be able to do; the tool is not listed to one that cannot, and refuses to run. */
  requires(requires: ToolRequirements): ToolRequirements;

  /** What one call may use. `timeout` is in milliseconds, and time with a person does not count. */
  limits(limits: ToolLimits): ToolLimits;

  /**
   * A call outlives its process: it goes on from its journal, and can go back to an earlier question. The tool promises that
   * it does the same each time, and that everything with an effect is in `ctx.step`. With `forks`, that its steps may also
   * run in two places at once, and again with the same answers: where clients carry their calls, other steps that do more than read
   * are refused.
   */
  durable(options?: Partial<Durability>): Durability | undefined;

  /**
   * Its calls take long: a client that has tasks gets one instead of the result, and polls, answers or cancels it, from any
   * process of a server with a store. With `required`, clients without tasks cannot call it; with `asksFirst`, it is a task
   * from its first answer on.
   */
  task(options?: Partial<TaskSupport>): TaskSupport | undefined;
}

type Said = { readonly [Fact in keyof ToolFacts]: ReturnType<ToolFacts[Fact]> };

/** Everything about a tool, as data. */
export interface ToolDefinition extends Said {
  readonly name: string;
  readonly description: string;
  /** Its code is another server's. A call that makes a call of it makes it once, and writes down what came of it. */
  readonly foreign?: ForeignOrigin;
  readonly parameters: { readonly schema: Schema; readonly json: JsonSchema };
  readonly output: { readonly schema: Schema; readonly json: JsonSchema } | undefined;
  readonly elicits: Readonly<Record<string, ElicitDefinition>>;
  readonly body: ToolBody;
}

/**
 * A tool: frozen data made by `createMcpTool`. `def` is all there is to it; the type parameters are carried in
 * `types`, which never has a value.
 */
export interface Tool<
  Name extends string = string,
  Params = unknown,
  Elicits extends ElicitDeclarations = ElicitDeclarations,
  Out = unknown,
> {
  readonly kind: 'parley.tool';
  readonly name: Name;
  readonly def: ToolDefinition;
  readonly types?: { readonly params: Params; readonly elicits: Elicits; readonly out: Out };
}

/** Carries the type of what `before` hands on; never has a value. */
export interface Handoff<H> {
  readonly handoffType?: H;
}

/** Carries the type of what a caller passes, before defaults and transforms; never has a value. */
export interface Takes<I> {
  readonly inputType?: I;
}

/** Any tool, whatever its types. */
export type AnyTool = Tool;

/** The parsed parameters of a tool. */
export type ParamsOf<T> = T extends { readonly types?: { readonly params: infer P } } ? P : never;
/** What a caller of a tool passes; anything for a tool whose types are not known. */
export type ParamsInputOf<T> = T extends { readonly inputType?: infer I }
  ? unknown extends I
    ? { readonly [field: string]: unknown }
    : I
  : { readonly [field: string]: unknown };
/** What a tool resolves to. */
export type ResultOf<T> = T extends { readonly types?: { readonly out: infer O } } ? O : never;
/** What a tool may ask. */
export type ElicitsOf<T> = T extends {
  readonly types?: { readonly elicits: infer E extends ElicitDeclarations };
}
  ? E
  : never;
/** What `before` of a tool hands on; `undefined` for a tool without phases. */
export type HandoffOf<T> = T extends { readonly handoffType?: infer H } ? H : undefined;
