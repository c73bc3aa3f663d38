// A part of npm run lint: every import follows layers.json.
import { importsOfSources } from './imports.ts';
import { refusalOf } from './layers.ts';

for (const { from, to } of await importsOfSources()) {
  const refusal = refusalOf({ from, to });
  if (refusal === undefined) continue;
  console.error(`${from} imports ${to}. ${refusal}`);
  process.exitCode = 1;
}
