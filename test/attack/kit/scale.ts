/** How much longer than in `npm test` an attack goes on: `npm run attack` says 20. */
const scale = Number(process.env.PARLEY_ATTACK_SCALE ?? '1');

/** So many, times the scale. */
export function scaled(count: number): number {
  return Math.max(1, Math.round(count * scale));
}

/** Says in a long run what an attack came to. */
export function figures(title: string, counts: Readonly<Record<string, number | string>>): void {
  if (scale === 1) return;
  const told = Object.entries(counts).map(([what, count]) => `${what} ${count}`);
  process.stdout.write(`▸ ${title}: ${told.join(', ')}\n`);
}
