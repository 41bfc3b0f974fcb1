/** Who may import whom; part of `make lint`. Types count: a room is understood alone only if its types are. */
const entries =
  '^workers/(cells/(clock|csvCell|index|pages|sheets)|json/(index|items)|nearest/index|recent/index|sketch/index|protocol|run|engine/(index|dmn/document)|models/(index|compare/jdmDifferences|narrate/(conditions|missing))|sheets/index|outbound/index)\\.ts$';

/** The rooms of the server, from the lowest up: each may import those before it, never one after it. */
const rooms = [
  ...[
    'clock',
    'config',
    'tracing',
    'admission',
    'storage',
    'cache',
    'jobs',
    'http',
    'rates',
    'events',
    'audit',
    'oauth',
    'workspaces',
    'api',
    'resource',
  ],
  ...[
    'protections',
    'decisions',
    'deployments',
    'environments',
    'outbox',
    'access',
    'runs',
    'analyses',
    'replays',
    'measures',
    'evidence',
    'agents',
  ],
  ...['changes', 'erasures', 'inquiries', 'encryption', 'admin', 'supervise', 'cli'],
];
/** They wire the rooms together. */
const wiring = '^src/(main|compose|background|app|routes|build|buildApi)\\.ts$';

const roomRules = rooms.map((room, index) => ({
  name: `${room}-below`,
  comment: 'A room imports those below it (`rooms`).',
  from: { path: `^src/${room}/` },
  to: { path: [wiring, `^src/(${[...rooms.slice(index + 1), '-'].join('|')})/`] },
}));

const rules = [
  ...roomRules,
  {
    name: 'rooms-are-listed',
    comment: 'A new room gets its place in `rooms`.',
    from: { path: `^src/(?!(${rooms.join('|')}|console)/)[^/]+/` },
    to: {},
  },
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
    to: {
      path: '^workers/',
      pathNot: '^workers/(engine/|cells/resultNames\\.ts$|(cells|json|nearest|outbound|recent)/index\\.ts$)',
    },
  },
  {
    name: 'engine-by-its-entry',
    from: { path: '^src/' },
    to: { path: '^workers/', pathNot: entries },
  },
  {
    name: 'stores-below-http',
    comment: 'SQL knows nothing of HTTP, and HTTP nothing of SQL.',
    from: { path: '^src/(storage/|.*\\.store\\.ts$)' },
    to: { path: '^src/(http|api)/' },
  },
  {
    name: 'http-above-stores',
    from: { path: '^src/(http|api)/' },
    to: { path: '(^src/.*\\.store\\.ts$)|((^|/)node_modules/(knex|mysql2)/)' },
  },
  {
    name: 'commands-without-services',
    from: { path: '^src/' },
    to: { path: '^db/' },
  },
  {
    name: 'commands-in-a-table',
    comment: 'A command is a row of the table (`src/cli/command.ts`), which `program.ts` alone tells the parser.',
    from: { path: '^src/', pathNot: '^src/cli/(program|params|runCli)\\.ts$' },
    to: { path: '(^|/)node_modules/commander/' },
  },
  {
    name: 'operators-in-process',
    comment:
      "Operators' commands run the operations that tenants have by HTTP; nothing is written a second time for the database.",
    from: { path: '^src/cli/', pathNot: '^src/cli/operator\\.ts$' },
    to: {
      path: '^src/(access/(clients\\.service|clientSecrets)|inquiries/(inquiries\\.service|update|change)|workspaces/(policies|grants)\\.store)\\.ts$',
    },
  },
  {
    name: 'console-alone',
    comment:
      'Pages know the API alone, how cells and documents of DMN are read, numbers and models compared, what rolling back means, what a protection refuses and leaves out, what a failed step lacked, what a row asks for, what decisions and those are called who are no clients, and what each role may do; the server hands out their bundles.',
    from: { path: '^src/console/' },
    to: {
      path: '^(src/(?!console/|changes/(?:notLookedAt|refusedFindings)\\.ts$|decisions/decisionName\\.ts$|deployments/(asRouted|rollBackTarget)\\.ts$|oauth/roles\\.ts$|workspaces/principalName\\.ts$)|workers/(?!cells/(?:clock|csvCell|index|pages|sheets)\\.ts$|engine/dmn/document\\.ts$|json/index\\.ts$|models/(?:compare/jdmDifferences|narrate/(?:conditions|missing))\\.ts$)|db/|test/)',
    },
  },
  {
    name: 'cells-alone',
    comment: 'How cells are read is known to threads and pages alike.',
    from: { path: '^workers/cells/' },
    to: { path: '.', pathNot: '^workers/cells/' },
  },
  {
    name: 'json-alone',
    comment: 'JSON as text is read and written by one room, for threads, the server and pages; it imports nothing.',
    from: { path: '^workers/json/' },
    to: { path: '.', pathNot: '^workers/json/' },
  },
  {
    name: 'server-without-console',
    from: { path: '^(src/(?!console/)|workers/|db/)' },
    to: { path: '^src/console/' },
  },
  {
    name: 'tracing-on-demand',
    comment: 'OpenTelemetry takes long to load, and is loaded only where a collector is named.',
    from: { path: '^src/', pathNot: '^src/tracing/(otlp|sampler)\\.ts$' },
    to: { path: '^src/tracing/(otlp|sampler)\\.ts$', dynamic: false },
  },
  {
    name: 'opentelemetry-in-one-place',
    from: { path: '^src/', pathNot: '^src/tracing/(otlp|sampler)\\.ts$' },
    to: { path: '(^|/)node_modules/@opentelemetry/' },
  },
  {
    name: 'one-cache',
    comment:
      'What is remembered by key is a `Recent`, what is read and ages a `Cache` (src/cache): bounded, and fair to its owners.',
    from: { path: '^(src|workers)/', pathNot: '^workers/recent/' },
    to: { path: '(^|/)node_modules/lru-cache/' },
  },
  {
    name: 'one-pool',
    comment: 'Whoever needs a thread asks src/admission/pool, where everybody waits in one fair queue.',
    from: { path: '^(src|workers|db)/', pathNot: '^src/admission/pool/thread\\.ts$' },
    to: { path: '(^|/)node_modules/piscina/' },
  },
  {
    name: 'one-fair-queue',
    comment:
      'Who is next is asked of src/admission; turns at jobs, of src/jobs; whose record is written next, of src/runs/recorder.',
    from: { path: '^(src|workers)/', pathNot: '^src/(admission|jobs|runs/recorder)/' },
    to: { path: '^src/admission/fairQueue\\.ts$' },
  },
  {
    name: 'one-registry',
    comment: 'What a process counts about itself, it counts in src/admin/metrics.',
    from: { path: '^(src|workers|db)/', pathNot: '^src/(admin|supervise)/' },
    to: { path: '(^|/)node_modules/prom-client/' },
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
