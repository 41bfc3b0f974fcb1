import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { projectRoot } from '../../db/root.js';
import { registerEvidenceMetrics } from '../../src/admin/metrics/evidence.js';
import { createMetrics } from '../../src/admin/metrics/metrics.js';
import { stateMetrics } from '../../src/admin/metrics/state.js';
import { restartsMetric } from '../../src/supervise/metrics.js';
import { promtoolFor } from '../support/promtool.js';

const file = (name: string): string => join(projectRoot, 'deploy', name);
/** mocha brings a reader of YAML along; we need none of our own. */
const { load } = createRequire(import.meta.url)('js-yaml') as { load: (text: string) => unknown };

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook_url: string };
}
const { groups } = load(readFileSync(file('alerts.yaml'), 'utf8')) as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);

/** A value of a series at a minute; undefined where the series has no sample then. */
type Values = (minute: number) => number | undefined;
type Series = Readonly<Record<string, Values>>;

const constant = (value: number) => () => value;
const counter = (perMinute: number) => (minute: number) => minute * perMinute;
/** The minutes in which something is wrong: long enough for the slowest rule. */
const sick = { from: 30, until: 130 };
const isSick = (minute: number): boolean => minute >= sick.from && minute < sick.until;
const whileSick = (bad: number | undefined, good: number) => (minute: number) => (isSick(minute) ? bad : good);
/** A counter that grows while something is wrong, and not before and after. */
const growing = (perMinute: number) => (minute: number) =>
  Math.max(0, Math.min(minute, sick.until) - sick.from) * perMinute;

const route = '/logic/{environmentId}/decisions/{decisionId}/executions';
const labels = 'job="verdict",instance="a"';
const buckets = (name: string, more: string, slow: Values, all: Values): Series => ({
  [`${name}_bucket{${labels}${more},le="0.1"}`]: (minute) => all(minute)! - slow(minute)!,
  [`${name}_bucket{${labels}${more},le="1"}`]: all,
  [`${name}_bucket{${labels}${more},le="+Inf"}`]: all,
});
const executions = 'verdict_http_request_duration_seconds';
const decision = `verdict_decision_executions_total{${labels},workspace="w",decision="d"`;

/** A service that serves, with the few failures that every service has. */
const quiet: Series = {
  [`up{${labels}}`]: constant(1),
  [`verdict_ready{${labels}}`]: constant(1),
  [`verdict_dependency_up{${labels},name="mysql"}`]: constant(1),
  [`verdict_dependency_up{${labels},name="redis"}`]: constant(1),
  [`verdict_build_info{${labels},version="1.0.0"}`]: constant(1),
  [`verdict_http_requests_total{${labels},status="201"}`]: counter(6000),
  [`verdict_http_requests_total{${labels},status="503"}`]: counter(6),
  [`verdict_http_errors_total{${labels},code="overloaded"}`]: constant(0),
  ...buckets(executions, `,route="${route}"`, counter(6), counter(6000)),
  ...buckets('verdict_recorder_flush_seconds', '', counter(6), counter(6000)),
  [`verdict_pool_rejected_runs_total{${labels},reason="queue_full"}`]: constant(0),
  // Callers who left, and a server that was replaced, are no reason to add threads.
  [`verdict_pool_rejected_runs_total{${labels},reason="gone"}`]: counter(5),
  [`verdict_pool_worker_restarts_total{${labels}}`]: counter(1),
  [`verdict_process_restarts_total{${labels}}`]: (minute) => (minute > 10 ? 1 : 0),
  [`verdict_recorder_refused_executions_total{${labels}}`]: constant(0),
  [`verdict_bytes_refused_total{${labels}}`]: constant(0),
  [`verdict_bytes_held_after_end{${labels}}`]: constant(0),
  [`verdict_outbox_messages{${labels},state="dead"}`]: constant(0),
  [`verdict_outbox_messages{${labels},state="pending"}`]: constant(40),
  [`verdict_outbox_oldest_age_seconds{${labels},state="pending"}`]: constant(600),
  [`verdict_event_loop_delay_p99_seconds{${labels}}`]: constant(0.02),
  [`verdict_analysis_unconfirmed_total{${labels}}`]: constant(0),
  [`${decision},status="completed"}`]: counter(600),
  [`${decision},status="failed"}`]: counter(30),
  [`verdict_evidence_behind_trees{${labels}}`]: constant(0),
  [`verdict_evidence_refused_trees{${labels}}`]: constant(0),
  [`verdict_evidence_lag_seconds{${labels}}`]: constant(8),
  [`verdict_evidence_findings{${labels}}`]: constant(0),
  [`verdict_erasures_oldest_age_seconds{${labels}}`]: constant(30),
};

/** What is otherwise when each alert is to fire. */
const faults: Readonly<Record<string, Series>> = {
  VerdictAbsent: { [`up{${labels}}`]: whileSick(undefined, 1) },
  VerdictDown: { [`up{${labels}}`]: whileSick(0, 1) },
  VerdictNotReady: { [`verdict_ready{${labels}}`]: whileSick(0, 1) },
  VerdictDependencyDown: { [`verdict_dependency_up{${labels},name="redis"}`]: whileSick(0, 1) },
  VerdictVersionsDiffer: {
    [`verdict_build_info{job="verdict",instance="b",version="1.1.0"}`]: (minute) => (isSick(minute) ? 1 : undefined),
  },
  VerdictServerErrors: { [`verdict_http_requests_total{${labels},status="500"}`]: growing(300) },
  VerdictSlowExecutions: buckets(executions, `,route="${route}"`, growing(120), counter(6000)),
  VerdictRunsRefused: { [`verdict_pool_rejected_runs_total{${labels},reason="queue_full"}`]: growing(60) },
  VerdictThreadsLost: { [`verdict_pool_worker_restarts_total{${labels}}`]: growing(10) },
  VerdictProcessRestarts: { [`verdict_process_restarts_total{${labels}}`]: growing(1) },
  VerdictExecutionsUnrecorded: { [`verdict_recorder_refused_executions_total{${labels}}`]: growing(1) },
  VerdictSlowRecords: buckets('verdict_recorder_flush_seconds', '', growing(120), counter(6000)),
  VerdictBytesRefused: { [`verdict_bytes_refused_total{${labels}}`]: growing(5) },
  VerdictBytesHeld: { [`verdict_bytes_held_after_end{${labels}}`]: whileSick(4096, 0) },
  VerdictMessagesGivenUp: { [`verdict_outbox_messages{${labels},state="dead"}`]: whileSick(2, 0) },
  VerdictMessagesLate: { [`verdict_outbox_oldest_age_seconds{${labels},state="pending"}`]: whileSick(3700, 600) },
  VerdictEventLoopHeld: { [`verdict_event_loop_delay_p99_seconds{${labels}}`]: whileSick(0.3, 0.02) },
  VerdictProofUnconfirmed: { [`verdict_analysis_unconfirmed_total{${labels}}`]: growing(0.1) },
  VerdictDecisionFails: { [`${decision},status="failed"}`]: growing(300) },
  VerdictEvidenceUnsigned: { [`verdict_evidence_behind_trees{${labels}}`]: whileSick(1, 0) },
  VerdictEvidenceLate: { [`verdict_evidence_lag_seconds{${labels}}`]: whileSick(900, 8) },
  VerdictEvidenceFinding: { [`verdict_evidence_findings{${labels}}`]: whileSick(1, 0) },
  VerdictErasuresLate: { [`verdict_erasures_oldest_age_seconds{${labels}}`]: whileSick(1200, 30) },
};

/** As files of promtool write a series: one value a minute; `stale` where a target goes away, as Prometheus notes it, then `_`. */
const written = (series: Series, minutes: number): { readonly series: string; readonly values: string }[] =>
  Object.entries(series).map(([name, values]) => ({
    series: name,
    values: Array.from({ length: minutes + 1 }, (_, minute) => {
      const before = minute === 0 ? undefined : values(minute - 1);
      return values(minute) ?? (before === undefined ? '_' : 'stale');
    }).join(' '),
  }));

/** Which alerts fire at a minute, as a promtool test. */
const firing = (minute: number, names: readonly string[]) => ({
  expr: 'count by (alertname) (ALERTS{alertstate="firing"})',
  eval_time: `${minute}m`,
  exp_samples: names.map((name) => ({ labels: `{alertname="${name}"}`, value: 1 })),
});

/** Long enough after the fault for the widest window, which is an hour. */
const end = sick.until + 80;

describe('the alert rules of deploy/', function () {
  this.timeout(600_000);
  const folder = mkdtempSync(join(tmpdir(), 'verdict-alerts-'));
  after(() => rmSync(folder, { recursive: true }));

  /** Runs promtool's tests of rules; what it says where they fail. */
  function faultsOf(context: Mocha.Context, tests: readonly object[]): string {
    const path = join(folder, 'tests.yaml');
    const each = tests.map((test) => ({ interval: '1m', ...test }));
    writeFileSync(path, JSON.stringify({ rule_files: [file('alerts.yaml')], evaluation_interval: '2m', tests: each }));
    const { status, stdout, stderr } = promtoolFor(context)('test', 'rules', path);
    return status === 0 ? '' : stdout + stderr;
  }

  it('each has a fault here that makes it fire', () => {
    expect(Object.keys(faults)).to.have.members(rules.map(({ alert }) => alert));
  });

  it('are silent in quiet hours, and in one in which a release is replaced', function () {
    const [first, second] = ['a', 'b'].map((name) =>
      Object.entries(quiet).map(([key, values]) => ({ key, values, name })),
    );
    const during = (from: number, until: number, values: Values) => (minute: number) =>
      minute >= from && minute < until ? values(minute) : undefined;
    const replaced = Object.fromEntries([
      ...first!.map(({ key, values }) => [
        key,
        // It drains for a moment: a scrape may see that.
        key.startsWith('verdict_ready') ? during(0, 22, (minute) => (minute === 21 ? 0 : 1)) : during(0, 22, values),
      ]),
      ...second!.map(({ key, values }) => [
        key.replace('instance="a"', 'instance="b"').replace('1.0.0', '1.1.0'),
        during(20, 120, (minute) => values(minute - 20)),
      ]),
    ]) as Series;
    const minutes = Array.from({ length: 24 }, (_, at) => at * 5);
    const promql_expr_test = minutes.map((minute) => firing(minute, []));
    const tests = [quiet, replaced].map((series) => ({ input_series: written(series, 120), promql_expr_test }));
    expect(faultsOf(this, tests)).to.equal('');
  });

  it('fire while their cause is there, each alone, and clear after it', function () {
    const tests = Object.entries(faults).map(([name, fault]) => ({
      name,
      input_series: written({ ...quiet, ...fault }, end),
      promql_expr_test: [firing(sick.from - 1, []), firing(sick.until - 1, [name]), firing(end, [])],
    }));
    expect(faultsOf(this, tests)).to.equal('');
  });

  it('fire with a text that names the instance, and a link to what is to be done', function () {
    const expected = {
      exp_labels: { ...{ severity: 'page', job: 'verdict', instance: 'a' } },
      exp_annotations: {
        summary: 'a is not ready: GET /readyz says why.',
        runbook_url: 'https://verdict.example.com/deploy/alerts.md#verdictnotready',
      },
    };
    const alert_rule_test = [{ eval_time: '40m', alertname: 'VerdictNotReady', exp_alerts: [expected] }];
    const input_series = written({ ...quiet, ...faults['VerdictNotReady'] }, 60);
    expect(faultsOf(this, [{ input_series, alert_rule_test }])).to.equal('');
  });

  it('would fail here where one did not fire', function () {
    const tests = [{ input_series: written(quiet, end), promql_expr_test: [firing(sick.until - 1, ['VerdictDown'])] }];
    expect(faultsOf(this, tests)).to.include('VerdictDown');
  });

  it('page or make a ticket, and each has its section in the guide, which has no other', () => {
    const sections = [...readFileSync(file('alerts.md'), 'utf8').matchAll(/^### (.*)$/gm)].map(([, title]) => title);
    expect(sections).to.have.members(rules.map(({ alert }) => alert));
    for (const { alert, labels: named, annotations } of rules) {
      expect(named.severity, alert).to.be.oneOf(['page', 'ticket']);
      expect(annotations.runbook_url).to.equal(`https://verdict.example.com/deploy/alerts.md#${alert.toLowerCase()}`);
    }
  });
});

describe('deploy/alerts.md', () => {
  it('has the table of all metrics that there are (UPDATE=1 writes it)', async () => {
    const metrics = createMetrics(0);
    registerEvidenceMetrics(metrics.registry, { refused: new Map(), completeAt: undefined });
    const state = await stateMetrics({ phase: 'serving', mysql: 'ok', redis: 'ok' });
    const all = [...(await metrics.registry.getMetricsAsJSON()), ...state, restartsMetric(0)];
    metrics.close();
    const rows = all
      .filter(({ name }) => name.startsWith('verdict_'))
      .map(({ name, type, help }) => `| \`${name}\` | ${String(type)} | ${help} |\n`)
      .sort();
    const table = `| Metric | Type | What it is |\n|---|---|---|\n${rows.join('')}`;
    const text = readFileSync(file('alerts.md'), 'utf8');
    const right = text.replace(/(<!-- metrics -->\n)[^]*(<!-- \/metrics -->)/, (_all, start: string, close: string) =>
      [start, table, close].join(''),
    );
    expect(right).to.include(table);
    if (process.env['UPDATE'] === '1') writeFileSync(file('alerts.md'), right);
    else expect(text).to.equal(right);
  });
});
