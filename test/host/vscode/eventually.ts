/** Asks again until `look` gives something true, for what VS Code does in its own time. @throws what it was, after `timeout` ms. */
export async function eventually<T>(
  what: string,
  look: () => T | undefined | Promise<T | undefined>,
  timeout = 30_000,
): Promise<NonNullable<T>> {
  const deadline = Date.now() + timeout;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (Date.now() > deadline) throw new Error(`In ${timeout} ms there was no ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
