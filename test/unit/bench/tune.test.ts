import { Writable } from 'node:stream';
import { expect } from 'chai';
import type { Measured } from '../../bench/load.js';
import { plot } from '../../bench/plot.js';
import { htmlOf, textOf } from '../../bench/report.js';
import { stepsOf, summarise, sweep, type Plan, type Settings } from '../../bench/sweep.js';
import { tuneReport } from '../../bench/tuneReport.js';
import { median } from '../../bench/numbers.js';
import { openTimed } from '../../bench/timed.js';

const plan: Plan = {
  processes: [1, 2],
  threads: [1, 2, 4],
  queues: [10, 100],
  connections: { usual: 50, overload: 500 },
  rounds: 2,
};

/** A machine that likes two threads, one process, and a queue of 100. */
function answersOf({ processes, threads, queue }: Settings): number {
  return 1000 / processes - Math.abs(threads - 2) * 100 - (queue === 10 ? 500 : 0);
}

const measuredOf = (inTimePerSecond: number): Measured => ({
  perSecond: inTimePerSecond + 1,
  inTimePerSecond,
  refusedPerSecond: 0,
  errors: 0,
  others: {},
  cpuUs: {},
  p50Ms: 1,
  p99Ms: 2,
});

describe('make tune', () => {
  it('finds what serves best and worst, and measures both again', async () => {
    const asked: string[] = [];
    const findings = await sweep(plan, (settings, connections) => {
      asked.push(`${connections} ${JSON.stringify(settings)}`);
      return Promise.resolve(measuredOf(answersOf(settings)));
    });
    expect(findings.best).to.deep.equal({ processes: 1, threads: 2, queue: 100 });
    expect(findings.worst).to.deep.equal({ processes: 2, threads: 4, queue: 500 });
    expect(asked)
      .to.have.length(stepsOf(plan))
      .and.length(2 * (2 * 3 + 2) + 4);
    expect(asked.filter((one) => one.startsWith('500 '))).to.have.length(4);
    expect(findings.repeated.best.map(({ inTimePerSecond }) => inTimePerSecond)).to.deep.equal([1000, 1000]);

    const about = { cores: 2, seconds: 1, targetMs: 200, rounds: 2 };
    const text = textOf(tuneReport(findings, about));
    expect(text).to.contain('HTTP_PROCESSES=1\nPOOL_MIN_THREADS=2\nPOOL_MAX_THREADS=2\nPOOL_MAX_QUEUE=100');
    expect(text).to.contain('best 1000 answers in time per second, worst 300: 3.33 times as many');
    expect(text).to.contain('3.33 x').and.to.contain('Confirmed.');
    const noisy = { ...findings, repeated: { best: [measuredOf(600)], worst: [measuredOf(300)] } };
    expect(textOf(tuneReport(noisy, about))).to.contain('2.00 times as many. Not confirmed');
    const html = htmlOf('tune', tuneReport(findings, about));
    expect(html.match(/<svg /g)).to.have.length(4);
    expect(html).to.not.match(/(?:src|href)=/);
  });

  it('ends in the time that it says: of what takes longer, rounds are left out, never the first of each', async () => {
    let now = 0;
    const written: string[] = [];
    const stream = new Writable({
      write(chunk: Buffer, _encoding, done) {
        written.push(chunk.toString());
        done();
      },
    });
    const steps = stepsOf(plan);
    // Each measurement takes twice as long as was reckoned with.
    const timed = openTimed(stream, { label: 'Tuning', steps, budgetMs: steps * 100 }, () => now);
    let measured = 0;
    const slowly = (settings: Settings): Promise<Measured> => {
      measured++;
      now += 200;
      timed.advance();
      return Promise.resolve(measuredOf(answersOf(settings)));
    };
    const findings = await sweep(plan, slowly, timed);
    expect(findings.best).to.deep.equal({ processes: 1, threads: 2, queue: 100 });
    expect(measured).to.equal(steps / 2);
    expect(now).to.equal(steps * 100);
    expect(written.at(-1)).to.equal(`Tuning ${steps}/${steps}, 2 s of 2\n`);
    expect(written).to.have.length.within(5, 10);
  });

  it('takes the queue limit that refuses fewest of those that are about as good', async () => {
    const measure = ({ queue }: Settings): Promise<Measured> => {
      const inTime = { 8: 1000, 32: 990, 128: 920, 500: 600 }[queue] ?? 0;
      return Promise.resolve({ ...measuredOf(inTime), refusedPerSecond: 500 - queue });
    };
    const findings = await sweep({ ...plan, queues: [8, 32, 128, 500] }, measure);
    expect(findings.best.queue).to.equal(128);
  });

  it('compares round by round, so that a machine which becomes slower meanwhile changes no factor', async () => {
    let asked = 0;
    // Ten times slower from the middle of the second of three rounds, after its best setting and before its worst.
    const slowing = await sweep({ ...plan, rounds: 3 }, (settings) =>
      Promise.resolve(measuredOf(answersOf(settings) / (asked++ < 10 ? 1 : 10))),
    );
    const about = { cores: 2, seconds: 1, targetMs: 200, rounds: 3 };
    expect(textOf(tuneReport(slowing, about)))
      .to.contain('3.33 x')
      .and.to.contain('By the table the best answers 3.33 times');
  });

  it('takes the middle of the rounds', () => {
    expect([median([3, 1, 2]), median([4, 1]), median([])]).to.deep.equal([2, 2.5, 0]);
    const settings = { processes: 1, threads: 1, queue: 1 };
    const trials = [10, 30, 20].map((value) => ({ settings, connections: 5, measured: measuredOf(value) }));
    expect(summarise(trials)).to.deep.equal([{ settings, connections: 5, measured: measuredOf(20) }]);
  });

  it('draws a point where it belongs', () => {
    const svg = plot({
      title: 'Title',
      axis: 'axis',
      series: [
        {
          name: 'a',
          points: [
            { x: '1', y: 0 },
            { x: '2', y: 100 },
          ],
        },
      ],
    });
    expect(svg).to.contain('<polyline points="158.0,256.0 362.0,40.0"').and.to.contain('>100</text>');
  });
});
