import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { projectRoot } from '../../db/root.js';
import { testsOfTck } from '../../workers/models/index.js';
import { dmn } from '../support/dmn.js';
import type { Model } from '../support/models.js';
import { logicHeaders, type Place, type Scene } from '../support/scene.js';
import type { Target } from './load.js';
import type { Watched } from './processes.js';

/** A model that a benchmark runs, and what it sends to it. */
export interface Subject {
  readonly path: string;
  readonly model: Model;
  readonly fact: object;
  readonly result: object;
}

/**
 * DECISION: a file of JDM with `tests`, the first of which says what the benchmarks send, or a document of DMN with a test
 * file of its kit beside it; one of the demo's unless given.
 */
export const subject = readSubject('DECISION', join(projectRoot, 'db/seeds/demo/shop/shipping-fee.json'));
export const { path: decisionPath, fact: decisionFact, result: decisionResult } = subject;

interface ModelTest {
  readonly input: object;
  readonly output: object;
}

/** The model of the file that a setting names. */
export function readSubject(setting: string, fallback?: string): Subject {
  const path = resolve(process.env[setting] || (fallback ?? ''));
  try {
    const { tests, ...model } = path.endsWith('.dmn') ? readDmn(path) : readJdm(path);
    const [test] = tests;
    if (test?.input === undefined) throw new Error('it has no tests, the first of which is to be sent');
    return { path, model, fact: test.input, result: test.output };
  } catch (error) {
    process.stderr.write(`${setting}=${path} cannot be used: ${(error as Error).message}\n`);
    process.exit(2);
  }
}

type Tested = Model & { readonly tests: readonly ModelTest[] };

function readJdm(path: string): Tested {
  const model = JSON.parse(readFileSync(path, 'utf8')) as Model & { readonly tests?: readonly ModelTest[] };
  return { ...model, tests: model.tests ?? [] };
}

function readDmn(path: string): Tested {
  const files = readdirSync(dirname(path)).filter((name) => name.endsWith('.xml'));
  const read = files.map((name) => testsOfTck(readFileSync(join(dirname(path), name), 'utf8'), name));
  const tests = read.flatMap((each) => (each.modelName === basename(path) ? each.tests : []));
  return { ...dmn(readFileSync(path, 'utf8')), tests: tests.map((test) => JSON.parse(test) as ModelTest) };
}

/** The decision, deployed in a new environment, and the request that executes it. */
export interface Executable extends Place {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly fact: object;
}

export const deployDecision = (scene: Scene, { model, fact } = subject): Promise<Executable> =>
  deployModel(scene, model, fact);

/** By what the scene of an earlier version has, too: with `BASE` it is that one's. */
export async function deployModel(scene: Scene, model: Model, fact: object, key = 'bench.json'): Promise<Executable> {
  const decisionId = await scene.decision(key, model);
  const environmentId = await scene.environment();
  const deploymentId = await scene.deploy(decisionId, environmentId, 1);
  return {
    ...{ environmentId, deploymentId, decisionId },
    path: `/logic/${environmentId}/decisions/${decisionId}/executions`,
    headers: { ...logicHeaders(scene), 'Content-Type': 'application/json' },
    body: JSON.stringify({ fact }),
    fact,
  };
}

export const targetOf = (
  { baseUrl }: { readonly baseUrl: string },
  { path, headers, body }: Executable,
  watched: readonly Watched[] = [],
): Target => ({ url: baseUrl + path, headers, body, watched });
