import pg from 'pg';

/** Asks a database something, past every store: the rows of the last statement. */
export async function query(
  url: string,
  text: string,
  values?: unknown[],
): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const given: unknown = await client.query(text, values);
    const results = (Array.isArray(given) ? given : [given]) as pg.QueryResult<Record<string, unknown>>[];
    return results.at(-1)?.rows ?? [];
  } finally {
    await client.end();
  }
}
