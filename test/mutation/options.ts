import type { Part } from './parts.js';

/** Everything that a run writes, below the project's root. */
export const folder = '.test/mutation';

/** Stryker's options for one part: all mutants in one compiled copy, switched on one at a time in one process. */
export function optionsOf(part: Part, sources: readonly string[]): Record<string, unknown> {
  return {
    mutate: sources,
    // Unchecked, for mutants need not have the right types. Stryker starts no shell, and splits at unescaped blanks.
    buildCommand: `sh -c ${'npm run -s build && npm run -s compile test'.replaceAll(' ', '\\ ')}`,
    testRunner: 'mocha',
    mochaOptions: {
      spec: part.tests.map((path) => path.replace(/^(.*)\.ts$/, 'dist/$1.js')),
      // Instrumented code is slow, so tests of speed fail.
      grep: '^(?!.*costs little)',
    },
    // Of the tests, a mutant runs those that reach it.
    coverageAnalysis: 'perTest',
    // What runs once, as a module is loaded, would need a process and every test for each mutant.
    ignoreStatic: true,
    // The tests share a database, so they run one after another.
    concurrency: 1,
    // A process that many broken variants ran in makes way for a fresh one.
    maxTestRunnerReuse: 200,
    timeoutMS: 10_000,
    timeoutFactor: 2,
    dryRunTimeoutMinutes: 10,
    disableTypeChecks: false,
    allowConsoleColors: false,
    tempDirName: `${folder}/${part.name}`,
    ignorePatterns: ['dist', '.test', '.run', 'bench-results', 'deploy'],
    reporters: ['progress-append-only', 'json', 'html'],
    jsonReporter: { fileName: `${folder}/${part.name}.json` },
    htmlReporter: { fileName: `${folder}/${part.name}.html` },
    allowEmpty: true,
  };
}
