import { expect } from 'chai';
import { LongNumber } from '../../../workers/json/index.js';
import { parseGate } from '../../../src/cli/replays/gate.js';
import { percent, type Report } from '../../../src/cli/replays/report.js';
import { reportPage } from '../../../src/cli/replays/reportPage.js';
import { reportText } from '../../../src/cli/replays/reportText.js';

const report: Report = {
  replayed: 1000,
  identical: 990,
  changed: 6,
  newlyFailed: 4,
  newlyCompleted: 0,
  skipped: { http: 10, fact_redacted: 10 },
  fields: [{ pointer: '/rate', count: 6 }],
  transitions: [
    { pointer: '/rate', before: new LongNumber('0.1000000000000000000000001'), after: '<script>', count: 5 },
    { pointer: '/rate', after: 2, count: 1 },
  ],
  measures: [{ name: 'mean <rate>', before: 4, after: 4.2 }],
  engine: { before: { p50: 0.02, p99: 0.04 }, after: { p50: null, p99: 0.05 } },
};

describe('--fail-on', () => {
  const compared = { ...report, skipped: { limit: 10, fact_redacted: 10 } };
  for (const [text, isBroken] of [
    ['changed > 0.5%', true],
    ['changed > 0.9%', true],
    ['changed > 1%', false],
    ['changed >= 1 %', true],
    ['changed>9', true],
    ['changed > 10', false],
    ['newlyFailed > 0', true],
    ['newlyCompleted > 0', false],
    ['identical < 99%', false],
    ['identical <= 99%', true],
    ['replayed < 1000', false],
    ['replayed < 99%', true],
    ['skipped > 1%', true],
    ['skipped > 20', false],
  ] as const) {
    it(`${text} ${isBroken ? 'is broken' : 'holds'}`, () => {
      expect(parseGate(text).isBroken(compared)).to.equal(isBroken);
    });
  }

  it('takes what the candidate kept from being compared for the worst, as checks of change requests do', () => {
    const hiding = { ...report, replayed: 0, identical: 0, changed: 0, newlyFailed: 0, skipped: { secret: 5 } };
    for (const text of ['changed > 0.5%', 'newlyFailed > 0', 'identical < 99%']) {
      expect(parseGate(text).isBroken(hiding), text).to.equal(true);
      expect(parseGate(text).isBroken({ ...hiding, identical: 100, replayed: 100 }), text).to.equal(true);
    }
    expect(parseGate('changed > 0.5%').isBroken({ ...hiding, skipped: { fact_redacted: 5 } })).to.equal(false);
  });

  it('takes a version that fails where the recorded one did not for one that changes', () => {
    const failing = { ...report, replayed: 5, identical: 0, changed: 0, newlyFailed: 5, skipped: {} };
    expect(parseGate('changed > 0.5%').isBroken(failing)).to.equal(true);
  });

  it('takes every share of nothing for 0', () => {
    const nothing = { ...report, replayed: 0, identical: 0, changed: 0, newlyFailed: 0, skipped: {} };
    expect(parseGate('changed >= 0.1%').isBroken(nothing)).to.equal(false);
    expect(parseGate('replayed < 1').isBroken(nothing)).to.equal(true);
  });

  for (const text of ['', 'changed', 'changed > x', 'changes > 1', 'changed = 1', 'changed > -1', 'changed > 1%%']) {
    it(`refuses ${JSON.stringify(text)}`, () => {
      expect(() => parseGate(text)).to.throw('such as');
    });
  }
});

describe('the report of a replay', () => {
  it('shows shares as they are', () => {
    expect([percent(0, 0), percent(1, 3), percent(1, 100_000), percent(99_999, 100_000), percent(5, 5)]).to.deep.equal([
      '–',
      '33.33 %',
      '< 0.01 %',
      '> 99.99 %',
      '100 %',
    ]);
  });

  it('is text with every digit', () => {
    const text = reportText(report);
    expect(text).to.include('0.1000000000000000000000001');
    for (const part of ['changed', '0.6 %', 'skipped: http', 'mean <rate>', '+0.2 (+5 %)', '0.05']) {
      expect(text).to.include(part);
    }
  });

  it('is a page that needs no other file, in which no value is markup', () => {
    const request = { decisionId: '</pre><img src=x>' };
    const page = reportPage({ id: 'x', status: 'COMPLETED', report, createdAt: '2026-01-31T09:30:00.000Z', request });
    expect(page).to.include('0.1000000000000000000000001').and.include('10 of 1000 executions (1 %)');
    expect(page.match(/<svg /g)).to.have.length(4);
    expect(page).to.not.match(/<script|<img|https?:|@import|url\(/);
    expect(page).to.include('&lt;script&gt;').and.include('mean &lt;rate&gt;');
    expect(page).to.include('absent');
  });
});
