import { builtinRules } from 'eslint/use-at-your-own-risk';
import tseslint from 'typescript-eslint';

// The last set of options of a rule holds for a file, so each "one of each" has the rule by a name of its own.
const syntax = { rules: { syntax: builtinRules.get('no-restricted-syntax') } };

/** One table of jobs: whoever needs a lease, a turn or a repeated attempt asks src/jobs for it. */
const leaseColumns = '\\b(due_at|leased_until|fence)\\b';
const leases = {
  selector: [
    'Identifier[name=/^(due_at|leased_until|fence)$/]',
    `Literal[value=/${leaseColumns}/]`,
    `TemplateElement[value.raw=/${leaseColumns}/]`,
  ].join(', '),
  message: 'Leases and what is due are of src/jobs.',
};
/** One clock: it says what a timer keeps alive, how it is stopped, and what becomes of work that fails. */
const timers = {
  selector: [
    'CallExpression[callee.name=/^set(Timeout|Interval)$/]',
    'CallExpression[callee.object.name=/^(window|globalThis|self)$/][callee.property.name=/^set(Timeout|Interval)$/]',
    'ImportDeclaration[source.value=/^(node:)?timers/]',
  ].join(', '),
  message: 'Who waits, repeats or limits a time asks src/clock for it.',
};
/** One record: who else needs an execution written, changed or removed asks src/runs for it. */
const recordTables = '^(executions|evaluations)\\b';
const recordSql = '(INSERT INTO|UPDATE|DELETE FROM) `?(executions|evaluations)\\b';
const records = {
  selector: [
    `CallExpression[callee.property.name=/^(insert|update|delete|del)$/]:has(CallExpression > Literal[value=/${recordTables}/])`,
    `Literal[value=/${recordSql}/]`,
    `TemplateElement[value.raw=/${recordSql}/]`,
  ].join(', '),
  message: 'Executions and evaluations are written, changed and removed in src/runs.',
};
/** One way of repeating a request: what a key was used for is compared, kept and removed by `KeyTable`. */
const usedKeys = {
  selector: [
    'Identifier[name=request_digest]',
    'Literal[value=/\\brequest_digest\\b/]',
    'TemplateElement[value.raw=/\\brequest_digest\\b/]',
  ].join(', '),
  message: 'Idempotency-Keys that were used are compared by src/storage/usedKeys.ts.',
};
/** Where a string of JSON ends, and what its escapes mean, is known to workers/json. */
const characters = [
  'Literal[value=92]',
  "BinaryExpression[operator=/^[!=]==$/] > Literal[value='\\\\']",
  "SwitchCase > Literal[value='\\\\']",
  ':matches(FunctionDeclaration, VariableDeclarator)[id.name=/^(endOf|skip)(String|Text|Json)/]',
].map((selector) => ({ selector, message: 'JSON is read character by character in workers/json alone.' }));

/** A pattern that finds strings of JSON is a reader of JSON; parsing with a reviver is what keeps digits. */
const tokens = [
  'Literal[regex.pattern=/\\[\\^"\\\\\\\\\\]/]',
  'CallExpression[callee.object.name=JSON][callee.property.name=parse][arguments.length=2]',
].map((selector) => ({ selector, message: 'JSON is taken apart in workers/json alone.' }));
/** What there is one of: a second one is named like it, whatever else it is. */
const mechanisms =
  '(Cache|Lru|Memo|Histogram|Sketch|Quantiles|Times|Percentiles|Limiter|Throttle|TokenBucket|Queue|Semaphores?|Scheduler|Pacing|Backlog|RoundRobin)$';
const collections = 'NewExpression[callee.name=/^(Weak)?(Map|Set)$/]';
const memory = ['PropertyDefinition[key', 'VariableDeclarator[id'].map((declared) => ({
  selector: `${declared}.name=/(cache|memo|lru|queue|semaphore)/i] > :matches(${collections}, ArrayExpression)`,
  message: 'What is remembered by key is a `Recent` or a `Cache`, and who waits stands in a queue of src/admission.',
}));

/** Every object has a `constructor`, which somebody names a column, a field or an entity. */
const lookups = {
  selector:
    ':matches(Program, ExportNamedDeclaration) > VariableDeclaration > VariableDeclarator[init.type=ObjectExpression] > Identifier.id TSTypeReference[typeName.name=Record] > ' +
    'TSTypeParameterInstantiation > TSStringKeyword:first-child',
  message: 'What is looked up by a text is a Map.',
};

/** How long something takes is the machine's: `allowedMs` says what a slow one is given, and the long form holds the number itself. */
const measured = '/^(performance|cpuUsage|system|(took|spent|elapsed|longest|slowest|watch)\\w*)$/';
const speed = {
  selector:
    'CallExpression[callee.property.name=/^(below|lessThan|most|lte|lt)$/][arguments.0.type=Literal]' +
    `:has(Identifier[name=${measured}])`,
  message: 'What depends on the speed of the machine is held against `allowedMs` (test/support/environment.ts).',
};

/** A test has as much time as mocha gives it (300 s), or more: less is a promise about the machine. */
const impatient = ['', ' > BinaryExpression[operator="+"]'].map((sum) => ({
  selector: `CallExpression[callee.property.name='timeout'][callee.object.name!='AbortSignal']${sum} > Literal[value>0][value<300000]`,
  message: 'A test has no less time than mocha gives it: a slow machine takes it.',
}));

/** A page draws after what was done to it: what is read at once may be what was there before. */
const drawn = {
  selector:
    "CallExpression[callee.name='expect'] AwaitExpression > CallExpression[callee.property.name=" +
    '/^(isDisabled|isEnabled|isVisible|isHidden|isChecked|count|textContent|innerText|inputValue|getAttribute|allInnerTexts|allTextContents|evaluate|evaluateAll)$/]' +
    ":not(CallExpression[callee.name='soon'] CallExpression)",
  message: 'What a page shows is asserted by `soon` (test/support/eventually.ts), which waits until it is drawn.',
};

/** Strict with type information; what is relaxed says why. */
export default tseslint.config(
  { ignores: ['dist/**', 'node_modules/**', '.run/**', '.test/**', '*.js', '.*.js', '.*.cjs'] },
  ...tseslint.configs.strictTypeChecked,
  {
    files: ['**/*.ts', '**/*.tsx'],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-import-type-side-effects': 'error',
      // Dictionaries from JSON are records by nature; deleting by key and indexing them is normal here.
      '@typescript-eslint/no-dynamic-delete': 'off',
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'no-console': 'error',
      'max-lines': ['error', { max: 300 }],
      eqeqeq: 'error',
    },
  },
  {
    files: ['src/**/*.ts', 'workers/**/*.ts'],
    ignores: ['src/cache/**', 'workers/recent/**', 'workers/sketch/**', 'src/rates/limiter.ts', 'src/admission/**'],
    plugins: { memory: syntax },
    rules: {
      '@typescript-eslint/naming-convention': [
        'error',
        { selector: 'class', format: null, custom: { regex: mechanisms, match: false } },
        {
          selector: ['function', 'variable'],
          format: null,
          custom: { regex: `^(create|make|new)\\w*${mechanisms}`, match: false },
        },
      ],
      'memory/syntax': ['error', ...memory],
      'no-restricted-imports': [
        'error',
        {
          paths: [
            {
              name: 'node:perf_hooks',
              importNames: ['createHistogram'],
              message: 'Quantiles come from the one sketch, workers/sketch.',
            },
            {
              name: 'node:worker_threads',
              importNames: ['Worker'],
              message: 'Whoever needs a thread asks src/admission/pool.',
            },
            {
              name: 'node:util',
              importNames: ['parseArgs'],
              message: 'A command is a row of the table (src/cli/command.ts).',
            },
          ],
        },
      ],
    },
  },
  {
    files: ['src/**/*.ts', 'src/**/*.tsx', 'workers/**/*.ts', 'db/**/*.ts'],
    // ZEN and FEEL have strings of their own.
    ignores: ['workers/json/**', 'workers/engine/zen/**', 'workers/engine/feel/**'],
    plugins: { json: syntax },
    rules: { 'json/syntax': ['error', ...characters] },
  },
  {
    files: ['src/**/*.ts', 'workers/**/*.ts'],
    // What these look up are names of their own.
    ignores: ['src/console/**', 'src/cli/**', 'src/api/docs/**'],
    plugins: { lookups: syntax },
    rules: { 'lookups/syntax': ['error', lookups] },
  },
  {
    files: ['src/**/*.ts'],
    // Whether a line of a batch's answers tells of a failure is seen at its beginning.
    ignores: ['src/console/**', 'src/cli/remote/batch/results.ts'],
    plugins: { tokens: syntax },
    rules: { 'tokens/syntax': ['error', ...tokens] },
  },
  {
    files: ['src/**/*.ts', 'db/**/*.ts'],
    ignores: ['src/jobs/**', 'src/console/**', 'db/migrations/0001/jobs.ts'],
    plugins: { jobs: syntax },
    rules: { 'jobs/syntax': ['error', leases] },
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['src/runs/**', 'src/console/**'],
    plugins: { records: syntax },
    rules: { 'records/syntax': ['error', records] },
  },
  {
    files: ['src/**/*.ts'],
    // A batch compares the keys of all its items at once.
    ignores: ['src/storage/usedKeys.ts', 'src/runs/batches/itemKeys.store.ts', 'src/console/**'],
    plugins: { keys: syntax },
    rules: { 'keys/syntax': ['error', usedKeys] },
  },
  {
    files: ['src/**/*.ts'],
    // Requests that may be repeated with a key: executions, batches and inquiries.
    ignores: [
      'src/api/**',
      'src/runs/**',
      'src/inquiries/**',
      'src/cli/**',
      'src/console/**',
      'src/storage/usedKeys.ts',
    ],
    plugins: { repeats: syntax },
    rules: {
      'repeats/syntax': [
        'error',
        {
          selector: "Literal[value='Idempotency-Key']",
          message: 'Keys of requests are kept by src/storage/usedKeys.ts.',
        },
      ],
    },
  },
  {
    files: ['src/**/*.ts', 'workers/**/*.ts'],
    // A page has its own clock; a function node waits in its thread, where nothing of src is.
    ignores: ['src/clock/**', 'src/console/**', 'src/api/docs/browser/**', 'workers/engine/sandbox/pendingCalls.ts'],
    plugins: { clock: syntax },
    rules: { 'clock/syntax': ['error', timers] },
  },
  {
    // What resources have in common is written once, in src/resource. Those that are left out do more than a resource does:
    // its README says which, and why.
    files: ['src/**/*.ts'],
    ignores: [
      ...['src/api/**', 'src/resource/**', 'src/console/**', 'src/cli/**', 'src/decisions/**', 'src/inquiries/**'],
      ...['src/runs/history.routes.ts', 'src/replays/replays.routes.ts', 'src/replays/shadows.routes.ts'],
      ...['src/changes/requests.routes.ts', 'src/changes/requests.service.ts', 'src/environments/variables.routes.ts'],
      ...['src/access/workspaces.routes.ts', 'src/access/audit.routes.ts'],
    ],
    plugins: { resource: syntax },
    rules: {
      'resource/syntax': [
        'error',
        {
          selector: 'Literal[value=/^If-(None-)?Match$/]',
          message: 'src/resource holds what is there against the state that the client has seen.',
        },
        { selector: "Property[key.name='ETag']", message: 'src/resource tags the state of a resource.' },
        {
          selector: 'ImportSpecifier[imported.name=/^(requireMatch|isCurrent|contentTag|readPageRequest(By)?)$/]',
          message: 'src/resource tags states, and answers with pages of lists.',
        },
      ],
    },
  },
  {
    files: ['test/**/*.ts'],
    plugins: { speed: syntax },
    rules: {
      'speed/syntax': ['error', speed, ...impatient],
      // chai's assertions are property expressions.
      '@typescript-eslint/no-unused-expressions': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
  {
    files: ['test/browser/**/*.ts', 'test/support/*Walk.ts'],
    plugins: { drawn: syntax },
    rules: { 'drawn/syntax': ['error', drawn] },
  },
);
