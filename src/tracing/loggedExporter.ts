import type { SpanExporter } from '@opentelemetry/sdk-trace-node';
import type { Logger } from 'pino';

/** The same exporter, which logs when the collector is lost and when it is back, and nothing in between. */
export function loggedExporter(exporter: SpanExporter, host: string, log: Pick<Logger, 'warn' | 'info'>): SpanExporter {
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
