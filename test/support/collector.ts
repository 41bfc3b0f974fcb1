import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from './eventually.js';

/** A span as OTLP's JSON has it; times are texts of nanoseconds. */
export interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly status: { readonly code?: number };
  /** Flattened. */
  readonly attributes: Readonly<Record<string, unknown>>;
  /** Of the process that sent it. */
  readonly resource: Readonly<Record<string, unknown>>;
}

/** A collector of traces: a real HTTP server that takes OTLP's JSON. */
export interface Collector {
  readonly endpoint: string;
  readonly requests: readonly { readonly path: string; readonly headers: IncomingHttpHeaders }[];
  /** All that has arrived. */
  spans(): readonly CollectedSpan[];
  /** Waits until so many spans of that trace have arrived. */
  trace(traceId: string, count: number): Promise<readonly CollectedSpan[]>;
  /** From now on: takes what comes, refuses it, or never answers. */
  behave(how: 'take' | 'refuse' | 'hang'): void;
  close(): Promise<void>;
}

interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

interface Export {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly {
      readonly spans: readonly (Omit<CollectedSpan, 'attributes' | 'resource'> & {
        readonly attributes: readonly Attribute[];
      })[];
    }[];
  }[];
}

export async function startCollector(): Promise<Collector> {
  const spans: CollectedSpan[] = [];
  const requests: { path: string; headers: IncomingHttpHeaders }[] = [];
  let behaviour: 'take' | 'refuse' | 'hang' = 'take';
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      requests.push({ path: request.url ?? '', headers: request.headers });
      if (behaviour === 'hang') return;
      if (behaviour === 'take') spans.push(...read(Buffer.concat(chunks).toString()));
      response.writeHead(behaviour === 'take' ? 200 : 400, { 'Content-Type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    spans: () => spans,
    trace(traceId, count) {
      const found = (): CollectedSpan[] => spans.filter((span) => span.traceId === traceId);
      return eventually(() => found().length >= count && found());
    },
    behave: (how) => (behaviour = how),
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function read(text: string): CollectedSpan[] {
  const { resourceSpans } = JSON.parse(text) as Export;
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({ ...span, attributes: flat(span.attributes), resource: flat(resource.attributes) })),
    ),
  );
}

const flat = (attributes: readonly Attribute[]): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
