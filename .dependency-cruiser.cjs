/** Who may import whom; part of `npm run lint`. Types count: a room is understood alone only if its types are. */
const entries = '^workers/(protocol|engine/index|models/index|models/exactJson|outbound/index)\\.ts$';

const rules = [
  {
    name: 'no-circles',
    comment: 'Only the parts of the expression parser call one another.',
    from: { pathNot: '^workers/engine/zen/parser/' },
    to: { circular: true },
  },
  {
    name: 'workers-alone',
    comment: 'What runs in a worker thread knows nothing of the server.',
    from: { path: '^workers/' },
    to: { path: '^(src|db|test)/' },
  },
  {
    name: 'engine-alone',
    from: { path: '^workers/engine/' },
    to: { path: '^workers/', pathNot: '^workers/(engine/|outbound/index\\.ts$)' },
  },
  {
    name: 'engine-by-its-entry',
    from: { path: '^src/' },
    to: { path: '^workers/', pathNot: entries },
  },
  {
    name: 'scheduler-below',
    comment: 'It shares out time, and does not know what the work is.',
    from: { path: '^src/scheduler/' },
    to: { path: '^src/(?!scheduler/|errors\\.ts$)' },
  },
  {
    name: 'pool-below',
    comment: 'It runs programs, and knows no HTTP and no domain.',
    from: { path: '^src/pool/' },
    to: { path: '^src/(?!(pool|scheduler|config|tracing)/|errors\\.ts$)' },
  },
  {
    name: 'stores-below-http',
    comment: 'SQL knows nothing of HTTP, and HTTP nothing of SQL.',
    from: { path: '^src/(storage/|.*\\.store\\.ts$)' },
    to: { path: '^src/http/' },
  },
  {
    name: 'http-above-stores',
    from: { path: '^src/http/' },
    to: { path: '(^src/.*\\.store\\.ts$)|((^|/)node_modules/(knex|mysql2)/)' },
  },
  {
    name: 'nobody-knows-everybody',
    comment: 'Wiring is in compose.ts and app.ts alone.',
    from: { path: '^src/', pathNot: '^src/(main|compose)\\.ts$' },
    to: { path: '^src/(main|compose|app)\\.ts$' },
  },
  {
    name: 'server-without-commands',
    from: { path: '^src/', pathNot: '^src/cli/' },
    to: { path: '^src/cli/' },
  },
  {
    name: 'commands-without-services',
    from: { path: '^src/' },
    to: { path: '^db/' },
  },
  {
    name: 'console-alone',
    comment: 'Pages know the API alone; the server hands out their bundles.',
    from: { path: '^src/console/' },
    to: { path: '^(src/(?!console/)|workers/|db/|test/)' },
  },
  {
    name: 'server-without-console',
    from: { path: '^(src/(?!console/)|workers/|db/)' },
    to: { path: '^src/console/' },
  },
  {
    name: 'tracing-on-demand',
    comment: 'OpenTelemetry takes long to load, and is loaded only where a collector is named.',
    from: { path: '^src/', pathNot: '^src/tracing/(announced|otlp|sampler)\\.ts$' },
    to: { path: '^src/tracing/(announced|otlp|sampler)\\.ts$', dynamic: false },
  },
  {
    name: 'opentelemetry-in-one-place',
    from: { path: '^src/', pathNot: '^src/tracing/(announced|otlp|sampler)\\.ts$' },
    to: { path: '(^|/)node_modules/@opentelemetry/' },
  },
  {
    name: 'no-tests-in-production',
    from: { path: '^(src|workers|db)/' },
    to: { path: '^test/' },
  },
];

module.exports = {
  forbidden: rules.map((rule) => ({ ...rule, severity: 'error' })),
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
  },
};
