import type { IncomingMessage } from 'node:http';
import type { Config } from '../config/config.js';

/** What a request can spend its time on, each a span below the request's. */
type Part = 'pool.wait' | 'pool.run' | 'record.commit';

/** One request that is being traced. All times are `performance.now()`. */
export interface RequestTrace {
  /** 32 hex digits: the caller's own trace where it sent a `traceparent`. */
  readonly traceId: string;
  /** A part that is over. @param fault why it failed, as a code; left out when it did not */
  part(name: Part, startMs: number, endMs: number, fault?: string): void;
  /** The request is answered. @param route as in the OpenAPI document; undefined where no route took it */
  end(answer: { readonly route: string | undefined; readonly status: number; readonly code: string | undefined }): void;
}

/** Exports spans of requests to a collector. Requests never wait for it or fail because of it. */
export interface Tracing {
  /** Null when this request is not sampled. */
  begin(request: IncomingMessage, requestId: string): RequestTrace | null;
  /** Sends the spans that the collector has not got yet, and gives up after a moment. */
  close(): Promise<void>;
}

/** Settles as `work` does; the time until then becomes a part of the trace. */
export async function during<T>(trace: RequestTrace, name: Part, work: Promise<T>): Promise<T> {
  const startMs = performance.now();
  let fault: string | undefined = 'failed';
  try {
    const result = await work;
    fault = undefined;
    return result;
  } finally {
    trace.part(name, startMs, performance.now(), fault);
  }
}

/** The settings of OpenTelemetry, under its own names for them. */
export type TracingConfig = Pick<
  Config,
  'otlpEndpoint' | 'otlpHeaders' | 'serviceName' | 'resourceAttributes' | 'tracesSampler' | 'tracesSamplerArg'
>;
