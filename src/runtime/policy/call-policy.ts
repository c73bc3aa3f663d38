import type { Operation } from 'effection';
import type { JsonObject } from '../../core/messages/json.ts';
import type { AnyTool, ToolAnnotations } from '../../core/tool/tool.ts';
import { callContext } from '../../core/world/call-context.ts';
import type { Session } from '../session/session.ts';

/** What is to become of a call before it is made. */
export type PolicyVerdict = 'allow' | 'ask' | 'deny';

/** A call that is about to be made. */
export interface JudgedCall {
  /** The call of ours that it is a part of, or is. */
  readonly session: Session;
  readonly tool: AnyTool;
  readonly params: JsonObject;
  /**
   * `outside`: it came from a person or a host, who have approved it by its name. `inside`: another tool, code of a model, or a file
   * makes it, such as a task.
   */
  readonly from: 'outside' | 'inside';
  /** It is a tool of ours that is called by itself: only rules that name it are asked. Without one there is no decision. */
  readonly named?: boolean;
}

/** What rules and remembered words come to, without asking anybody. */
export interface PolicyDecision {
  readonly verdict: PolicyVerdict;
  /** For the transcript: which rule or word decided. Part of a sentence, such as `you always allow it`. */
  readonly why: string;
  /** What a server says of its tool and the person takes for true, where that is why. */
  readonly believed?: keyof ToolAnnotations | undefined;
  /** Stays the same for as long as the tool says the same of itself, and is of the same server. */
  readonly about?: string | undefined;
}

/** What the person said: with the parameters as they left them. */
export type Approval =
  | { readonly approved: true; readonly params: JsonObject; readonly why: string }
  | { readonly approved: false; readonly why: string };

/** What decides on calls of other servers' tools and of code, and asks the person. */
export interface CallPolicy {
  /** Whether it has rules that may name tools of ours: then it is asked about those, too. */
  namesOwn?(): boolean;
  /** Never asks. A `deny` is final. Without a decision, whatever happens where there is no policy. */
  decide(call: JudgedCall): Operation<PolicyDecision | undefined>;
  /** Asks in the panel of the call, in the editor and nowhere else. @throws `CallDeniedError` where nobody can be asked */
  ask(call: JudgedCall): Operation<Approval>;
  /** Whether a rule wants a person to answer whatever this tool asks. */
  forPerson?(tool: AskingTool): Operation<boolean>;
}

/** A tool that asks; of one in another realm that a tool called, the name. */
export type AskingTool = Pick<AnyTool, 'name'> & Partial<Pick<AnyTool, 'def'>>;

/** The policy of whoever runs calls; without one, all are made. */
export const CallPolicyContext = callContext<CallPolicy>('parley.call-policy');

/** How a call that is made now came to be made. */
export type CallRoute =
  /** By a tool that a model runs others with, by their names. */
  | { readonly kind: 'inside' }
  /** The person has approved this call of this tool already, as with a row of a table. `about` is what the policy said of it then. */
  | {
      readonly kind: 'approved';
      readonly toolName: string;
      readonly about?: PolicyDecision['about'];
    };

/**
 * Set around a call by who makes it for somebody else.
 *
 * @example
 * yield* CallRouteContext.with({ kind: 'approved', toolName }, () => ctx.call(toolName, params));
 */
export const CallRouteContext = callContext<CallRoute>('parley.call-route');

/** Calls that nobody has approved by their name: a model, a tool or a file makes them. */
export function insideOf<T>(run: () => Operation<T>): Operation<T> {
  return CallRouteContext.with({ kind: 'inside' }, run);
}
