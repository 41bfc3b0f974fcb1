import { randomUUID } from 'node:crypto';
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, type Context, type Span } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider, type SpanExporter } from '@opentelemetry/sdk-trace-node';
import type { Logger } from 'pino';
import { within } from '../clock/timers.js';
import { samplerOf } from './sampler.js';
import type { RequestTrace, Tracing, TracingConfig } from './requestTrace.js';

// Only `tracing.ts` loads this file, and only when there is a collector to send to.

/** Most spans that wait to be sent, about 1 kB each: bounds the memory while the collector is away. */
const maxQueueSize = 8192;
const maxExportBatchSize = 1024;
const sendEveryMs = 1000;
/** For one batch, retries included, in milliseconds. */
const exportTimeoutMs = 5000;
/** On shutdown, milliseconds after which the remaining spans are dropped. */
const closeMs = 1500;

/**
 * Traces by the SDK of OpenTelemetry, as OTLP over HTTP with JSON. Nothing is registered globally: spans are made from
 * times that are measured anyway, so no async context has to be propagated.
 */
export function openOtlp(
  config: TracingConfig & { readonly otlpEndpoint: string },
  log: Pick<Logger, 'warn' | 'info'>,
): Tracing {
  const url = tracesUrl(config.otlpEndpoint);
  const exporter = new OTLPTraceExporter({ url, headers: { ...config.otlpHeaders }, timeoutMillis: exportTimeoutMs });
  const provider = new NodeTracerProvider({
    resource: resourceOf(config),
    sampler: samplerOf(config.tracesSampler, config.tracesSamplerArg),
    spanProcessors: [
      new BatchSpanProcessor(loggedExporter(exporter, new URL(url).host, log), {
        maxQueueSize,
        maxExportBatchSize,
        scheduledDelayMillis: sendEveryMs,
        exportTimeoutMillis: exportTimeoutMs,
      }),
    ],
  });
  const tracer = provider.getTracer('verdict');
  const propagator = new W3CTraceContextPropagator();

  return {
    begin(request, requestId) {
      const { method = '', url: target = '', httpVersion } = request;
      // `performance.now()` has no date; one offset for the whole request keeps its spans in order.
      const epochMs = Date.now() - performance.now();
      const span = tracer.startSpan(
        method,
        {
          kind: SpanKind.SERVER,
          startTime: epochMs + performance.now(),
          attributes: {
            'http.request.method': method,
            'url.scheme': 'http',
            'url.path': target.split('?', 1)[0] ?? '',
            'network.protocol.version': httpVersion,
            'verdict.request_id': requestId,
          },
        },
        propagator.extract(ROOT_CONTEXT, request.headers, header),
      );
      return span.isRecording() ? requestTrace(span, method, epochMs) : null;
    },
    async close() {
      const nothing = (): void => undefined;
      await within(closeMs, provider.shutdown().catch(nothing), nothing);
    },
  };

  function requestTrace(span: Span, method: string, epochMs: number): RequestTrace {
    const parent: Context = trace.setSpan(ROOT_CONTEXT, span);
    return {
      traceId: span.spanContext().traceId,
      part(name, startMs, endMs, fault) {
        const part = tracer.startSpan(name, { startTime: epochMs + startMs }, parent);
        if (fault !== undefined) fail(part, fault);
        part.end(epochMs + endMs);
      },
      end({ route, status, code }) {
        if (route !== undefined) span.updateName(`${method} ${route}`).setAttribute('http.route', route);
        span.setAttribute('http.response.status_code', status);
        if (code !== undefined) span.setAttribute('verdict.code', code);
        // By the semantic conventions a 4xx is no error of a server's span.
        if (status >= 500) fail(span, code ?? String(status));
        span.end(epochMs + performance.now());
      },
    };
  }
}

function fail(span: Span, fault: string): void {
  span.setAttribute('error.type', fault).setStatus({ code: SpanStatusCode.ERROR });
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

const header = {
  get: (headers: Headers, name: string) => headers[name],
  keys: (headers: Headers) => Object.keys(headers),
};

/** As the specification of OTLP's exporters says: the path of the signal is added to the base address. */
const tracesUrl = (endpoint: string): string => `${endpoint.replace(/\/$/, '')}/v1/traces`;

function resourceOf({ serviceName, resourceAttributes }: TracingConfig): ReturnType<typeof defaultResource> {
  const own = {
    ...resourceAttributes,
    // By the specification OTEL_SERVICE_NAME takes precedence over the attribute.
    'service.name': serviceName ?? resourceAttributes['service.name'] ?? 'verdict',
    'service.instance.id': resourceAttributes['service.instance.id'] ?? randomUUID(),
    'process.pid': process.pid,
  };
  return defaultResource().merge(resourceFromAttributes(own));
}

/** The same exporter, which logs when the collector is lost and when it is back, and nothing in between. */
function loggedExporter(exporter: SpanExporter, host: string, log: Pick<Logger, 'warn' | 'info'>): SpanExporter {
  let lost = false;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const failed = result.error !== undefined;
        if (failed && !lost) {
          log.warn({ collector: host, reason: result.error?.message }, 'traces are dropped: the collector takes none');
        }
        if (!failed && lost) log.info({ collector: host }, 'the collector takes traces again');
        lost = failed;
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
  };
}
