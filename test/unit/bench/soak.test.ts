import { expect } from 'chai';
import { faultsOf, type Soak } from '../../bench/soak/judge.js';
import { Promised } from '../../bench/soak/promises.js';
import { htmlOf, textOf } from '../../bench/report.js';
import { soakReport } from '../../bench/soak/report.js';
import { Tally } from '../../bench/soak/tally.js';
import { Weather } from '../../bench/soak/weather.js';
import { lifeOf } from './lives.js';

/** A clock that stands until it is told to go on. Milliseconds. */
function standingClock(): { readonly now: () => number; readonly goOn: (ms: number) => void } {
  let atMs = 1000;
  return {
    now: () => atMs,
    goOn: (ms) => {
      atMs += ms;
    },
  };
}

describe('the judgement of make soak', () => {
  it('routing: the old version until the change is answered, the new one from its beginning', () => {
    const { now, goOn } = standingClock();
    const promised = new Promised(0, now);
    promised.begin(1).confirmed();
    goOn(1);
    const before = now();
    goOn(1);
    const change = promised.begin(2);
    expect([promised.allows(1, before, now()), promised.allows(2, now(), now())]).to.deep.equal([true, true]);
    expect(promised.allows(2, before, before)).to.equal(false);
    expect(promised.allows(3, before, now())).to.equal(false);
    goOn(1);
    change.confirmed();
    goOn(1);
    expect([promised.allows(1, now(), now()), promised.allows(2, now(), now())]).to.deep.equal([false, true]);
    // A request that was on its way while the change was answered may have run either.
    expect(promised.allows(1, before, now())).to.equal(true);
  });

  it('routing: what was refused never was, what is unknown may be until the next change', () => {
    const { now, goOn } = standingClock();
    const promised = new Promised(0, now);
    promised.begin(1).confirmed();
    promised.begin(2).refused();
    promised.begin(3).unknown();
    goOn(1);
    const allowed = (): number[] => [1, 2, 3, 4].filter((version) => promised.allows(version, now(), now()));
    expect(allowed()).to.deep.equal([1, 3]);
    promised.begin(4).confirmed();
    goOn(1);
    expect(allowed()).to.deep.equal([4]);
  });

  it('routing: another process may lag behind, and a removal leaves a gap for as long', () => {
    const { now, goOn } = standingClock();
    const promised = new Promised(60, now);
    promised.begin(1).confirmed();
    promised.begin(2, true).confirmed();
    const seen = (): boolean[] => [promised.allows(1, now(), now()), promised.allowsAbsence(now(), now())];
    goOn(60);
    expect(seen()).to.deep.equal([true, true]);
    goOn(1);
    expect(seen()).to.deep.equal([false, false]);
  });

  it('a fault explains its own errors, while it lasts and until everything must answer again', () => {
    const { now, goOn } = standingClock();
    const weather = new Weather(now);
    const start = now();
    const mended = weather.begin(['503 dependency_unavailable']);
    const away = '503 dependency_unavailable';
    goOn(600_000);
    expect(weather.explains(away, now(), now())).to.equal(true);
    mended();
    const end = now();
    expect(weather.explains(away, start, end)).to.equal(true);
    expect(weather.explains('500 internal_error', start, end)).to.equal(false);
    expect(weather.explains(away, end + 5000, end + 5200)).to.equal(true);
    expect(weather.explains(away, end + 5001, end + 5200)).to.equal(false);
    expect(weather.explains(away, start - 20, start - 1)).to.equal(false);
  });

  const audit = { rows: 1, acknowledged: 1, replayed: 0, lost: 0, duplicated: 0, different: 0, unasked: 0 };
  const usual = { seed: 1, seconds: 300, processes: 2, connections: 16 };
  const nothing = {
    audit,
    kinds: [],
    spells: [],
    seconds: [],
    memory: {},
    findings: [],
    explained: {},
    auditSeconds: 1,
  };
  const found = (about: Partial<Soak['about']>, changes: Partial<Soak>): string[] =>
    faultsOf({ about: { ...usual, ...about }, ...nothing, ...changes });

  it('a service that becomes slower is a finding, where the run is long', () => {
    const slower = (late: number, about: Partial<Soak['about']> = {}): string[] => {
      const second = (at: number) => ({ at, requests: at < 150 ? 10_000 : late, p50Ms: 1, p99Ms: 1 });
      return found(about, { seconds: Array.from({ length: 300 }, (_, at) => second(at)) });
    };
    expect(slower(4000)).to.deep.equal([
      'it became slower: 10000 requests a second in the first third, 4000 in the last',
    ]);
    expect([slower(6000), slower(4000, { seconds: 60 })]).to.deep.equal([[], []]);
  });

  it('a server process that ends is a finding', () => {
    const lives = [lifeOf({ until: 20 }, () => 100), lifeOf({ from: 22, until: 60 }, () => 100)];
    for (const name of ['server 1', 'primary'])
      expect(found({ seconds: 60 }, { memory: { [name]: lives, MySQL: lives } })).to.deep.equal([
        `${name} ended by itself`,
      ]);
  });

  it('one lost execution, one finding or one leak make the run fail, and stand in both reports', () => {
    const tally = new Tally();
    tally.count('execution', '201', 5);
    tally.count('execution', '500 internal_error', 7);
    tally.find('execution: 500 internal_error');
    const memory = { server: [lifeOf({ until: 60 }, ({ at }) => 100 + at)] };
    const soak: Soak = {
      ...{ ...nothing, about: { ...usual, seconds: 600 }, audit: { ...audit, lost: 1 }, memory },
      ...{ kinds: tally.summary(), findings: tally.findings },
      seconds: [{ at: 1, ...tally.lately(1) }],
    };
    expect(faultsOf(soak)).to.deep.equal([
      'execution: 500 internal_error (1 times)',
      '1 executions are acknowledged and not in the database',
      'the memory of server is not flat',
    ]);
    const clean = { ...soak, findings: [], audit, memory: {} };
    expect(faultsOf(clean)).to.deep.equal([]);
    const short = { ...soak, about: { ...usual, seconds: 60 } };
    expect(faultsOf(short)).to.not.include('the memory of server is not flat');
    expect(textOf(soakReport(clean))).to.match(/met {5}All is well$/);
    expect(textOf(soakReport(soak)))
      .to.contain('1 lost')
      .and.contain('not flat');
    const html = htmlOf('soak', soakReport(soak));
    expect(html.match(/<svg /g)).to.have.length(3);
    expect(html)
      .to.contain('not flat')
      .and.not.match(/(?:src|href)=/);
  });
});
