import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import {
  compileDmn,
  EngineError,
  stringify,
  type CompiledDmn,
  type ImportedDocument,
  type Value,
} from '../../../workers/engine/index.js';
import { readTestCases, type TckTest } from '../../../workers/models/tck.js';
import { kitFact } from './temporal.js';
import { isAsExpected, kitText } from './compare.js';

/** One test case of the kit, run. */
export interface Checked {
  readonly level: string;
  readonly folder: string;
  readonly file: string;
  readonly id: string;
  /** The kit expects a value in it, not only null. */
  readonly hasValue: boolean;
  readonly passed: boolean;
  /** Its numbers are the expected ones to the last digit. */
  readonly exact: boolean;
  readonly expected: string;
  readonly got: string;
}

const filesIn = (folder: string, ending: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(ending))
    .sort();

/** Runs all test cases of the kit's folder, or those whose folder's name has a part in it. */
export function* checkKit(kit: string, only = ''): Generator<Checked> {
  for (const level of readdirSync(kit)
    .filter((name) => name.startsWith('compliance-level-'))
    .sort()) {
    for (const folder of readdirSync(path.join(kit, level)).sort()) {
      if (!folder.includes(only)) continue;
      for (const file of filesIn(path.join(kit, level, folder), '.xml')) yield* checkFile(kit, level, folder, file);
    }
  }
}

function* checkFile(kit: string, level: string, folder: string, file: string): Generator<Checked> {
  const home = path.join(kit, level, folder);
  const { modelName, tests } = readTestCases(readFileSync(path.join(home, file), 'utf8'));
  const compiled = compiledIn(home, modelName);
  for (const test of tests) {
    const outcome = runOf(test, compiled);
    const hasValue = test.results.some(({ expected }) => expected !== undefined && expected.kind !== 'null');
    const expected = test.results.map((each) => `${each.name}: ${kitText(each.expected)}`).join('; ');
    yield { level, folder, file, id: test.id, hasValue, expected, ...outcome };
  }
}

/** Imports are the other documents of the folder, by namespace. */
function compiledIn(home: string, modelName: string): CompiledDmn | string {
  const texts = filesIn(home, '.dmn').map((name) => readFileSync(path.join(home, name), 'utf8'));
  const imports: ImportedDocument['imports'] = ({ namespace }) => {
    const xml = texts.find(
      (text) => text.includes(` namespace="${namespace}"`) && !text.includes(`<import namespace="${namespace}"`),
    );
    return xml === undefined ? undefined : { xml, imports };
  };
  try {
    return compileDmn(readFileSync(path.join(home, modelName), 'utf8'), { imports });
  } catch (error) {
    if (error instanceof EngineError) return error.message;
    throw error;
  }
}

function runOf(test: TckTest, compiled: CompiledDmn | string): Pick<Checked, 'passed' | 'exact' | 'got'> {
  if (typeof compiled === 'string') return { passed: false, exact: false, got: compiled };
  const fact = Object.fromEntries(test.inputs.map(([name, value]) => [name, kitFact(value)]));
  const select = test.service === undefined ? test.results.map(({ name }) => name) : [test.service];
  const options = { trace: false, now: Date.now(), deadline: performance.now() + 10_000, random: () => 0.5 };
  const outcome = compiled.program.run(fact, { ...options, select });
  if (outcome.status === 'FAILED') return { passed: false, exact: false, got: outcome.message };
  const [warning] = outcome.warnings;
  const got: string[] = [];
  const { result } = outcome;
  const meets = (exactly: boolean): boolean =>
    test.results.every(({ name, expected }) => isAsExpected(resultOf(result, test, name), expected, exactly));
  for (const { name } of test.results) got.push(`${name}: ${stringify(resultOf(result, test, name))}`);
  return {
    passed: meets(false),
    exact: meets(true),
    got: got.join('; ') + (warning === undefined ? '' : ` (${warning.message})`),
  };
}

/** A service of several decisions gives a context of their values. */
function resultOf(result: Value, test: TckTest, name: string): Value {
  const own = (value: Value, key: string): Value | undefined =>
    typeof value === 'object' && value !== null && !Array.isArray(value) && Object.hasOwn(value, key)
      ? (value as Record<string, Value>)[key]
      : undefined;
  if (test.service === undefined) return own(result, name) ?? null;
  const whole = own(result, test.service) ?? null;
  return test.results.length > 1 ? (own(whole, name) ?? null) : (own(whole, name) ?? whole);
}
