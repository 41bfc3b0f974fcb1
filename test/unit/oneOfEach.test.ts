import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { cruise, type ICruiseOptions } from 'dependency-cruiser';
import { ESLint } from 'eslint';
import { packageFolder } from '../../src/packageFolder.js';

/** A second one of what the house has one of, in a room that has none, and the rule that says so. */
const planted: Readonly<Record<string, { readonly file?: string; readonly text: string; readonly rule: string }>> = {
  'a timer': { text: 'setTimeout(look, 100);', rule: 'clock/syntax' },
  'a timer of the global object': { text: 'globalThis.setInterval(look, 100);', rule: 'clock/syntax' },
  'a pause by a promise': {
    text: "import { setTimeout as sleep } from 'node:timers/promises';\nawait sleep(100);",
    rule: 'clock/syntax',
  },
  'a timer in a thread': { file: 'workers/models/planted.ts', text: 'setInterval(look, 100);', rule: 'clock/syntax' },
  'a lease': { text: "database('planted').where('leased_until', '<', now);", rule: 'jobs/syntax' },
  'a table with leases': {
    file: 'db/migrations/0001/planted.ts',
    text: 'export const planted = { planted: `leased_until DATETIME(3) NULL` };',
    rule: 'jobs/syntax',
  },
  'a reader of JSON by a pattern': { text: 'const token = /"(?:[^"\\\\]|\\\\.)*"/g;', rule: 'tokens/syntax' },
  'a parser of JSON that keeps digits': {
    text: 'JSON.parse(text, (_name, value, { source }) => source ?? value);',
    rule: 'tokens/syntax',
  },
  'a look-up that finds what every object has': {
    text: "export const planted: Readonly<Record<string, string>> = { one: 'two' };",
    rule: 'lookups/syntax',
  },
  'a reader of JSON': { text: 'const isEscape = code === 92;', rule: 'json/syntax' },
  'a cache': { text: 'export class PlantedCache {}', rule: '@typescript-eslint/naming-convention' },
  'a cache that a function makes': {
    text: 'export function createPlantedCache() {}',
    rule: '@typescript-eslint/naming-convention',
  },
  'a cache in a field': { text: 'class Planted { readonly #cached = new Map(); }', rule: 'memory/syntax' },
  'a cache in a variable': { text: 'const cache = new Map();', rule: 'memory/syntax' },
  'a limiter that a function makes': {
    text: 'export const createThrottle = () => undefined;',
    rule: '@typescript-eslint/naming-convention',
  },
  'a limiter': { text: 'export class PlantedLimiter {}', rule: '@typescript-eslint/naming-convention' },
  'a sketch': { text: 'export class PlantedHistogram {}', rule: '@typescript-eslint/naming-convention' },
  "Node's histogram": {
    text: "import { createHistogram } from 'node:perf_hooks';\ncreateHistogram();",
    rule: 'no-restricted-imports',
  },
  'a queue': { text: 'export class PlantedQueue {}', rule: '@typescript-eslint/naming-convention' },
  'a queue that a function makes': {
    text: 'export const createKeyedQueue = () => undefined;',
    rule: '@typescript-eslint/naming-convention',
  },
  'a queue in a list': { text: 'const queue = [];', rule: 'memory/syntax' },
  'a thread': {
    text: "import { Worker } from 'node:worker_threads';\nnew Worker('x');",
    rule: 'no-restricted-imports',
  },
  'a parser of commands': {
    text: "import { parseArgs } from 'node:util';\nparseArgs();",
    rule: 'no-restricted-imports',
  },
  'a semaphore in a thread': {
    file: 'workers/models/planted.ts',
    text: 'export class PlantedSemaphore {}',
    rule: '@typescript-eslint/naming-convention',
  },
  'a writer of records': { text: "await database('executions').insert(rows);", rule: 'records/syntax' },
  'a remover of records': {
    text: 'await database.raw(`DELETE FROM executions WHERE id = ?`, [id]);',
    rule: 'records/syntax',
  },
  'an idempotency': { text: "database('planted').where({ request_digest: digest });", rule: 'keys/syntax' },
  'another request that may be repeated': { text: "const key = header('Idempotency-Key');", rule: 'repeats/syntax' },
  'a page of a list': {
    text: "import { readPageRequest } from '../api/paginate.js';\nreadPageRequest();",
    rule: 'resource/syntax',
  },
  'a time that a slow machine does not keep': {
    file: 'test/unit/planted.test.ts',
    text: 'const { user, system } = process.cpuUsage();\nexpect((user + system) / 1000).to.be.below(2000);',
    rule: 'speed/syntax',
  },
  'a test that has less time than others': {
    file: 'test/unit/planted.test.ts',
    text: 'it("holds", () => undefined).timeout(60_000 + 2 * 1000);',
    rule: 'speed/syntax',
  },
  'a look at a page that may not be drawn yet': {
    file: 'test/browser/planted.test.ts',
    text: 'expect([await page.getByRole("row").count(), 1]).to.deep.equal([2, 1]);',
    rule: 'drawn/syntax',
  },
  'a look at what has the focus, which may come with the next frame': {
    file: 'test/browser/planted.test.ts',
    text: 'expect(await page.evaluate("document.activeElement.id")).to.equal("main");',
    rule: 'drawn/syntax',
  },
  'an ETag': { text: "const headers = { ETag: '1' };", rule: 'resource/syntax' },
};

/** An import that only the room of the one may have, and the rule that says so. */
const plantedImports = {
  'a cache by a library': { from: 'lru-cache', rule: 'one-cache' },
  'a pool of threads': { from: 'piscina', rule: 'one-pool' },
  'a fair queue': { from: '../admission/fairQueue.js', rule: 'one-fair-queue' },
  'a histogram by a library': { from: 'prom-client', rule: 'one-registry' },
  'a command outside the table': { from: 'commander', rule: 'commands-in-a-table' },
} as const;

const folder = fileURLToPath(packageFolder);

describe('one of each', () => {
  const rules = new Set(Object.values(planted).map(({ rule }) => rule));
  // Types are not read: none of these rules needs them, and a planted file belongs to no project.
  const eslint = new ESLint({
    cwd: folder,
    overrideConfigFile: '.eslint.config.js',
    overrideConfig: { languageOptions: { parserOptions: { projectService: false } } },
    ruleFilter: ({ ruleId }) => rules.has(ruleId),
  });

  for (const [what, { file = 'src/measures/planted.ts', text, rule }] of Object.entries(planted))
    it(`${what} beside the one that there is fails the lint`, async () => {
      const [result] = await eslint.lintText(text, { filePath: `${folder}${file}` });
      expect(result?.messages.map(({ ruleId }) => ruleId)).to.include(rule);
    });

  for (const [what, { from, rule }] of Object.entries(plantedImports))
    it(`${what} beside the one that there is fails the lint`, async () => {
      expect(await brokenBy(`import * as planted from '${from}';\n\nplanted;\n`)).to.include(rule);
    });

  it('what uses them fails nothing', async () => {
    const text = "import { pause } from '../clock/timers.js';\n\nawait pause(100);\n";
    const [result] = await eslint.lintText(text, { filePath: `${folder}src/measures/planted.ts` });
    expect(result?.messages).to.deep.equal([]);
  });
});

const require = createRequire(import.meta.url);

/** The rules about imports that a text breaks in a room that has none of the ones, in a tree of its own. */
async function brokenBy(text: string): Promise<readonly string[]> {
  const { forbidden } = require(join(folder, '.dependency-cruiser.cjs')) as Required<ICruiseOptions>['ruleSet'];
  const baseDir = mkdtempSync(join(tmpdir(), 'verdict-planted-'));
  try {
    symlinkSync(join(folder, 'node_modules'), join(baseDir, 'node_modules'));
    const files = { 'src/measures/planted.ts': text, 'src/admission/fairQueue.ts': 'export const fair = 1;\n' };
    for (const [file, content] of Object.entries(files)) {
      mkdirSync(dirname(join(baseDir, file)), { recursive: true });
      writeFileSync(join(baseDir, file), content);
    }
    const ruleSet = { forbidden: forbidden ?? [] };
    const options = {
      baseDir,
      validate: true,
      ruleSet,
      tsPreCompilationDeps: true,
      doNotFollow: { path: 'node_modules' },
    };
    const { output } = await cruise(['src'], options);
    if (typeof output === 'string') throw new Error(output);
    return output.summary.violations.map((violation) => violation.rule.name);
  } finally {
    rmSync(baseDir, { recursive: true });
  }
}
