import type { AnyTool } from '../../../core/tool/tool.ts';
import { fingerprintOf, saidOf } from '../../../runtime/policy/fingerprint.ts';

/** What a policy looks at of a tool. */
export interface Facts {
  /** Whose it is; nobody's but ours without one. */
  readonly server: string | undefined;
  /** As its server calls it. */
  readonly tool: string;
  readonly claims: AnyTool['def']['annotations'];
  /** Of what was started or reached. */
  readonly reached: string;
  /** What it says of itself. */
  readonly said: string;
  readonly fingerprint: string;
  /** Its server has it in its list. */
  readonly listed: boolean;
  /** Of the tool, whatever it says of itself. */
  readonly key: string;
  /** Of the tool as it is. */
  readonly print: string;
}

/** @param now the tool as its server lists it now, of which `tool` may be an earlier state; nothing where it does not list it */
export function policyFacts(tool: AnyTool, now: AnyTool | undefined): Facts {
  const own = tool.def.foreign;
  const seen = own && now?.def.foreign ? now : tool;
  const origin = seen.def.foreign;
  const claims = origin?.claims ?? seen.def.annotations;
  const said = saidOf(seen, claims);
  const fingerprint = fingerprintOf(said);
  const reached = origin?.reached ?? '';
  const name = own?.tool ?? tool.name;
  return {
    server: own?.server,
    tool: name,
    claims,
    reached,
    said,
    fingerprint,
    listed: own === undefined || now !== undefined,
    key: JSON.stringify([own?.server ?? null, name]),
    print: `${reached} ${fingerprint}`,
  };
}
