import tseslint from 'typescript-eslint';

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
    // What there is one of: a second one is named like it, whatever else it is.
    files: ['src/**/*.ts', 'workers/**/*.ts'],
    ignores: [
      ...['src/cache/**', 'workers/recent/**', 'workers/sketch/**', 'src/rates/limiter.ts'],
      // It limits how many at once, not how often.
      'src/outbox/adaptiveLimiter.ts',
    ],
    rules: {
      '@typescript-eslint/naming-convention': [
        'error',
        {
          selector: 'class',
          format: null,
          custom: {
            regex: '(Cache|Lru|Memo|Histogram|Sketch|Quantiles|Times|Percentiles|Limiter|Throttle|TokenBucket)$',
            match: false,
          },
        },
      ],
      'no-restricted-imports': [
        'error',
        {
          paths: [
            {
              name: 'node:perf_hooks',
              importNames: ['createHistogram'],
              message: 'Quantiles come from the one sketch, workers/sketch.',
            },
          ],
        },
      ],
    },
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
    rules: {
      'no-restricted-syntax': [
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
    rules: {
      // chai's assertions are property expressions.
      '@typescript-eslint/no-unused-expressions': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
);
