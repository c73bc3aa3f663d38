import { run } from 'effection';
import type { AnyPlugin } from '#src/core/plugin/plugin.ts';
import type { AnyTool } from '#src/core/tool/tool.ts';
import { createStandIn } from '#src/isolation/host-side/stand-in.ts';
import { type RealmMaker, ToolHome } from '#src/isolation/host-side/tool-home.ts';
import { DEFAULT_WATCH_LIMITS } from '#src/isolation/host-side/watch.ts';
import { serveRealm } from '#src/isolation/tool-side/served-realm.ts';
import { describeTool } from '#src/isolation/wire/tool-data.ts';
import { createLinkedEnds } from './linked-ends.ts';

/** Where the modules of the other realm find the tools: they are of this thread, and what a test has in its hands is in theirs, too. */
const offers: (AnyTool | AnyPlugin)[] = [];
Object.assign(globalThis, { parleyOffers: offers });

const maker: RealmMaker = {
  limits: DEFAULT_WATCH_LIMITS,
  diagnose() {},
  launch() {
    const { session, realm } = createLinkedEnds(queueMicrotask);
    const served = run(() => serveRealm(realm));
    void session.ended.then(() => served.halt());
    return session;
  },
};

/** The tool or plugin as the session has it where its code is at the other end of a line. */
export function elsewhere<T extends AnyTool | AnyPlugin>(offer: T): T {
  const index = offers.push(offer) - 1;
  const file = `/tools/${index}.ts`;
  const code = `exports.offer = parleyOffers[${index}];`;
  const modules = [{ name: file, code, map: '', version: `${index}` }];
  const order = { folder: '/tools', outDir: '/tools', modules, entries: [{ file, name: file }], lent: [] };
  const home = new ToolHome(maker, file, order);
  // The loading begins here, so that a test need not wait for it.
  void home.connect();
  // It stands for one of this type.
  return createStandIn(describeTool(offer, file), { home, index: 0 }) as T;
}
