import { expect } from 'chai';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import {
  compile,
  JsonTexts,
  stringify,
  toJson,
  traceText,
  validate,
  type Program,
  type Value,
} from '../../workers/engine/index.js';
import { runSync } from '../support/engine.js';

/** Models that carry their own tests, and their traces as they should be. `UPDATE=1` rewrites the traces. */
const folder = new URL('../../../test/golden/', import.meta.url);
const update = process.env['UPDATE'] === '1';

interface Golden {
  readonly tests: readonly { readonly input: Value; readonly output: unknown }[];
}

const names = readdirSync(new URL('models/', folder))
  .filter((file) => file.endsWith('.json'))
  .map((file) => file.slice(0, -5));
const models = new Map(names.map((name) => [name, JSON.parse(read(`models/${name}.json`)) as Golden]));
const programs = new Map<string, Program>();

function read(path: string): string {
  return readFileSync(new URL(path, folder), 'utf8');
}

/** Models name each other by file name. */
function resolve(name: string): Program | undefined {
  const model = models.get(name);
  if (model === undefined) return undefined;
  const program = programs.get(name) ?? compile(model, { resolve });
  programs.set(name, program);
  return program;
}

/** The trace as JSON with its times masked. */
function masked(trace: Value): unknown {
  return JSON.parse(stringify(trace).replace(/"\d+(\.\d+)?ms"/g, '"…ms"'));
}

/** Cells that a model has to show what comes of them. */
const shownFaults: Readonly<Record<string, readonly string[]>> = { 'kennel-size': ["warning > 'heavy'"] };

describe('golden models', () => {
  for (const [name, model] of models) {
    it(`${name} has no fault but what it is to show`, () => {
      const faults = validate(model, { knows: (key) => models.has(key) });
      expect(faults.map(({ severity, source }) => `${severity ?? 'error'} ${source ?? ''}`)).to.deep.equal(
        name in shownFaults ? shownFaults[name] : [],
      );
    });

    model.tests.forEach(({ input, output }, index) => {
      for (const trace of [false, true]) {
        it(`${name} ${index + 1}, ${trace ? 'traced' : 'plain'}`, () => {
          const before = JSON.stringify(input);
          const outcome = runSync(resolve(name)!, input, { trace });
          expect(outcome.status === 'COMPLETED' ? toJson(outcome.result) : outcome.message).to.deep.equal(output);
          expect(JSON.stringify(input), 'the fact is as it was').to.equal(before);
        });
      }
    });

    it(`${name}: as the server writes it, which writes what is shared once`, () => {
      for (const { input } of model.tests) {
        const outcome = runSync(resolve(name)!, input, { trace: true });
        const texts = new JsonTexts(outcome.plain);
        if (outcome.status === 'COMPLETED') expect(texts.of(outcome.result)).to.equal(stringify(outcome.result));
        expect(traceText(outcome.trace ?? {}, texts)).to.equal(stringify(outcome.trace ?? {}));
      }
    });

    it(`${name}: traces`, () => {
      const traces = model.tests.map(({ input }) => masked(runSync(resolve(name)!, input, { trace: true }).trace ?? {}));
      const path = `traces/${name}.json`;
      if (update) {
        mkdirSync(new URL('traces/', folder), { recursive: true });
        writeFileSync(new URL(path, folder), `${JSON.stringify(traces, null, 2)}\n`);
      }
      expect(existsSync(new URL(path, folder)), 'a snapshot; UPDATE=1 writes it').to.equal(true);
      expect(traces).to.deep.equal(JSON.parse(read(path)));
    });
  }
});
