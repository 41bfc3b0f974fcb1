import { oneOf, pairs, setting, share, text, url } from './parsers.js';

const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;
export type SamplerName = (typeof samplers)[number];

/** Where traces go and which are made: named and written as OpenTelemetry's specification says. */
export const tracingSettings = {
  otlpEndpoint: setting<string | null>(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    url('http:', 'https:'),
    null,
    'Collector of traces (OTLP over HTTP, JSON), such as http://localhost:4318; without it nothing is traced',
  ),
  otlpHeaders: setting(
    'OTEL_EXPORTER_OTLP_HEADERS',
    pairs,
    {},
    'Headers for the collector, as name=value pairs, separated by commas',
  ),
  serviceName: setting<string | null>('OTEL_SERVICE_NAME', text, null, 'Name in traces. Unset: verdict'),
  resourceAttributes: setting(
    'OTEL_RESOURCE_ATTRIBUTES',
    pairs,
    {},
    'Attributes of all traces, as name=value pairs, separated by commas',
  ),
  tracesSampler: setting(
    'OTEL_TRACES_SAMPLER',
    oneOf(...samplers),
    'parentbased_always_on',
    'Which requests are traced; parentbased: a request with a traceparent as its sender decided',
  ),
  tracesSamplerArg: setting(
    'OTEL_TRACES_SAMPLER_ARG',
    share,
    1,
    'Share of requests that the traceidratio samplers trace',
  ),
} as const;
