/** A process that waits for a debugger, and then runs a module of a tool that has a source map. */
import inspector from 'node:inspector';
import { run } from 'effection';
import { createHostRealm } from '#src/workspace/load/host-realm.ts';

inspector.open(0);
process.send?.(inspector.url());
inspector.waitForDebugger();

const map = JSON.stringify({ version: 3, sources: ['tool.ts'], mappings: 'AAAA' });
const code = `console.log('the code runs');
//# sourceMappingURL=data:application/json;base64,${Buffer.from(map).toString('base64')}`;
const built = { name: 'tool.cjs', code, map, version: '1', source: undefined };

await run(() =>
  createHostRealm({ folder: import.meta.dirname, outDir: import.meta.dirname }).load({
    modules: new Map([['tool.cjs', built]]),
    entries: new Map([['tool.ts', 'tool.cjs']]),
    lent: new Set(),
  }),
);
process.once('disconnect', () => process.exit(0));
process.send?.('ran');
