import type { Logger } from 'pino';
import type { Tracing, TracingConfig } from './requestTrace.js';

/** Null, without loading the SDK, where no collector is configured. */
export async function openTracing(config: TracingConfig, log: Pick<Logger, 'warn' | 'info'>): Promise<Tracing | null> {
  if (config.otlpEndpoint === null) return null;
  const { openOtlp } = await import('./otlp.js');
  return openOtlp({ ...config, otlpEndpoint: config.otlpEndpoint }, log);
}
