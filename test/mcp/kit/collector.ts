import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A span as it travels. Source: OTLP/HTTP, JSON encoding. */
export interface Collected {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes: ReadonlyArray<{ readonly key: string; readonly value: object }>;
  readonly status: { readonly code?: number };
}

/** A collector of spans. */
export interface Collector {
  /** For `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  readonly endpoint: string;
  readonly spans: Collected[];
  /** Everything that came, as it came. */
  text(): string;
  close(): Promise<void>;
}

interface Export {
  readonly resourceSpans: ReadonlyArray<{
    readonly scopeSpans: ReadonlyArray<{ readonly spans: readonly Collected[] }>;
  }>;
}

/** Starts one: it takes what an OTLP exporter sends over HTTP as JSON. */
export async function startCollector(): Promise<Collector> {
  const spans: Collected[] = [];
  let all = '';
  const server = createServer(async (req, res) => {
    let body = '';
    for await (const chunk of req) body += String(chunk);
    all += body;
    const { resourceSpans } = JSON.parse(body) as Export;
    if (req.url === '/v1/traces')
      spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((one) => one.spans)));
    res.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    text: () => all,
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
