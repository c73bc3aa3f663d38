import * as z from 'zod/mini';

/** Marks a message as ours: other things talk on a window's message event too. */
const MARK = 'parley/1';

/** A message on the port. */
export interface NamedMessage<Name extends string, Body> {
  readonly parley: typeof MARK;
  readonly name: Name;
  readonly body: Body;
}

/** A kind of message: its name, its type and its guard at once. Calling it makes such a message. */
export interface MessageKind<Name extends string, Body> {
  (body: Body): NamedMessage<Name, Body>;
  readonly kind: Name;
  /** What its bodies look like. */
  schema(): z.ZodMiniType<Body>;
  /** Is this message of this kind? For messages that were read by {@link messageReader}. */
  is(message: { readonly name: string }): message is NamedMessage<Name, Body>;
}

/** Defines a kind of message. Its schema is made when the first such message is read: a page that opens waits for none. */
export function messageKind<const Name extends string, Schema extends z.ZodMiniType>(
  name: Name,
  makeSchema: () => Schema,
): MessageKind<Name, z.infer<Schema>> {
  type Body = z.infer<Schema>;
  let schema: Schema | undefined;
  const make = (body: Body): NamedMessage<Name, Body> => ({ parley: MARK, name, body });
  return Object.assign(make, {
    kind: name,
    schema: () => {
      schema ??= makeSchema();
      return schema as unknown as z.ZodMiniType<Body>;
    },
    is: (message: { readonly name: string }): message is NamedMessage<Name, Body> => message.name === name,
  });
}

/** The messages of some kinds. */
export type MessageOf<Kinds> =
  Kinds extends Record<string, infer Kind>
    ? Kind extends MessageKind<infer Name, infer Body>
      ? NamedMessage<Name, Body>
      : never
    : never;

/** The message of one name among some. */
export type Named<M extends { readonly name: string }, Name extends M['name']> = Extract<
  M,
  { readonly name: Name }
>;

/** One handler for each kind of message: a kind without one does not compile. */
export type HandlersOf<M extends { readonly name: string }> = {
  readonly [Name in M['name']]: (message: Named<M, Name>) => void;
};

/** Calls the handler of a message. */
export function handle<M extends { readonly name: string }>(handlers: HandlersOf<M>, message: M): void {
  // The compiler does not see that a message and the handler of its name belong together.
  const handler = handlers[message.name as M['name']] as (message: M) => void;
  handler(message);
}

/** Ours by its mark, but not what it should be. */
export class MalformedMessageError extends Error {
  override readonly name = 'MalformedMessageError';
  readonly code = 'malformed_message';
  /** The message's name, where it had one. */
  readonly messageName: string | undefined;

  constructor(messageName: string | undefined, problem: string) {
    super(`A message of the run panel is malformed (${messageName ?? 'no name'}): ${problem}`);
    this.messageName = messageName;
  }
}

/** What arrived: one of ours, a foreign one (ignore it), or ours but malformed (report it). */
export type Received<M> =
  | { case: 'message'; message: M }
  | { case: 'foreign' }
  | { case: 'malformed'; error: MalformedMessageError };

const envelope = z.object({ parley: z.literal(MARK), name: z.string(), body: z.unknown() });

/**
 * A reader for one end of the port, which knows the messages of `kinds`.
 *
 * @example
 * const received = readFromPage(data);
 * if (received.case === 'message' && stop.is(received.message)) abort();
 */
export function messageReader<Kinds extends Record<string, { kind: string; schema(): z.ZodMiniType }>>(
  kinds: Kinds,
): (data: unknown) => Received<MessageOf<Kinds>> {
  const byName = new Map(Object.values(kinds).map((kind) => [kind.kind, kind]));
  return (data) => {
    if (typeof data !== 'object' || data === null || !('parley' in data)) return { case: 'foreign' };
    const outer = envelope.safeParse(data);
    const name = 'name' in data && typeof data.name === 'string' ? data.name : undefined;
    if (!outer.success) return malformed(name, z.prettifyError(outer.error));
    const kind = byName.get(outer.data.name);
    if (!kind) return malformed(name, 'no such message');
    const body = kind.schema().safeParse(outer.data.body);
    if (!body.success) return malformed(name, z.prettifyError(body.error));
    return { case: 'message', message: { ...outer.data, body: body.data } as MessageOf<Kinds> };
  };
}

function malformed(name: string | undefined, problem: string): Received<never> {
  return { case: 'malformed', error: new MalformedMessageError(name, problem) };
}
