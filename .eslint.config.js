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
    files: ['test/**/*.ts'],
    rules: {
      // chai's assertions are property expressions.
      '@typescript-eslint/no-unused-expressions': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
);
