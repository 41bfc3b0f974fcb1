import { expect } from 'chai';
import type { Measured } from '../../bench/load.js';
import { textOf } from '../../bench/report.js';
import { suiteReport, type ModelRow } from '../../bench/suiteReport.js';

const nothing = { inTimePerSecond: 0, refusedPerSecond: 0, p50Ms: 1, p99Ms: 2, others: {}, cpuUs: {} };
const areMet = (rows: readonly ModelRow[]): boolean => suiteReport(rows).wanted?.every(({ met }) => met) === true;
const rounds = (perSecond: readonly number[], errors = 0): Measured[] =>
  perSecond.map((each) => ({ ...nothing, perSecond: each, errors }));

/** The peers give 1000 and 100 a second in the first round, and twice that in the second and third. */
const row = (name: string, execution: number, evaluation: number, errors = 0): ModelRow => ({
  name,
  nodes: 5,
  measured: {
    fastify: rounds([1000, 2000, 2000]),
    'fastify-traced': rounds([100, 200, 200]),
    execution: rounds([1000 * execution, 2000 * execution, 1], errors),
    'evaluation (traced)': rounds([100 * evaluation, 200 * evaluation, 200 * evaluation]),
  },
});

describe('the report of make bench-suite', () => {
  const rows = [row('slow', 0.5, 1), row('usual', 0.8, 2.5), row('fast', 0.9, 4)];

  it('compares the rounds that took turns, and shows each model', () => {
    const [, first = '', ...lines] = textOf(suiteReport(rows))
      .split('\n')
      .filter((line) => line.startsWith('│'));
    expect(first).to.match(/slow *│ 5 *│ 2000 *│ 500 *│ 0\.50 *│ 200 *│ 200 *│ 1\.00 *│ 0 /);
    expect(lines.join('\n')).to.match(/usual *│ 5 *│ 2000 *│ 800 *│ 0\.80 *│ 200 *│ 500 *│ 2\.50 *│ 0 /);
  });

  it('judges by the median of the models', () => {
    const text = textOf(suiteReport(rows));
    expect(text).to.include(
      'met     execution to fastify: median 0.80, at least 0.7 is wanted; a quarter of the models below 0.50, ' +
        'a quarter above 0.90, least 0.50, most 0.90; 2 of 3 reach it',
    );
    expect(text).to.include('met     evaluation (traced) to fastify-traced: median 2.50, at least 2 is wanted');
    expect(areMet(rows)).to.equal(true);
  });

  it('says which one is missed', () => {
    const traced = [row('a', 0.8, 1.9), row('b', 0.8, 1.9), row('c', 0.8, 9)];
    expect(textOf(suiteReport(traced))).to.include('MISSED  evaluation (traced) to fastify-traced: median 1.90');
    expect(areMet(traced)).to.equal(false);
    expect(areMet([row('a', 0.6, 9)])).to.equal(false);
  });

  it('counts what was not answered with 201', () => {
    expect(textOf(suiteReport([row('broken', 0.8, 3, 4)]))).to.match(/broken .*│ 12 +│/);
  });
});
