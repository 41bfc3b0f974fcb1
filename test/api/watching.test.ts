import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { projectRoot } from '../../db/root.js';
import { useOwnApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { call } from '../support/http.js';
import { promtoolFor } from '../support/promtool.js';

const file = (name: string): string => join(projectRoot, 'deploy', name);
const read = (name: string): string => readFileSync(file(name), 'utf8');
/** mocha brings a reader of YAML along; we need none of our own. */
const { load } = createRequire(import.meta.url)('js-yaml') as { load: (text: string) => unknown };

interface Rules {
  readonly groups: readonly {
    readonly rules: readonly { readonly expr: string; readonly annotations: { readonly summary: string } }[];
  }[];
}
interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly gridPos: { readonly h: number; readonly w: number; readonly x: number; readonly y: number };
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
}

describe('the dashboard and the alert rules in deploy/', () => {
  const app = useOwnApp();
  const panels = (JSON.parse(read('grafana.json')) as { panels: Panel[] }).panels;
  const alerts = (load(read('alerts.yaml')) as Rules).groups.flatMap(({ rules }) => rules);
  const expressions = [
    ...panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
    ...alerts.map(({ expr }) => expr),
  ];

  /** Of a metric, by its name: the names of its labels, and the values of each. */
  async function labelsOfMetrics(): Promise<Map<string, Map<string, Set<string>>>> {
    const { text } = await call(`${app.adminUrl}/metrics`);
    const found = new Map<string, Map<string, Set<string>>>();
    for (const line of text.split('\n')) {
      const [, name, labels = ''] = /^([a-z0-9_]+)(?:\{(.*)\})? /.exec(line) ?? [];
      if (name === undefined) continue;
      const of = found.get(name) ?? new Map<string, Set<string>>();
      found.set(name, of);
      for (const [, label = '', value = ''] of labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g))
        of.set(label, (of.get(label) ?? new Set()).add(value));
    }
    // Made once there are requests, and by the primary of several processes.
    found.set(
      'verdict_http_request_duration_seconds_bucket',
      new Map([
        ['route', new Set()],
        ['le', new Set()],
      ]),
    );
    found.set('verdict_process_restarts_total', new Map());
    return found;
  }

  it('ask for metrics that there are, by labels that they have', async () => {
    // The lag of evidence is known once its process has looked for the first time.
    const metrics = await eventually(async () => {
      const found = await labelsOfMetrics();
      return found.has('verdict_evidence_lag_seconds') && found;
    });
    expect(expressions.length).to.be.above(30);
    for (const expression of expressions) {
      for (const [, name = ''] of expression.matchAll(/\b((?:verdict|process)_[a-z0-9_]+)\b/g))
        expect(metrics.has(name), name).to.equal(true);
      for (const [, name = '', selectors = ''] of expression.matchAll(
        /\b(verdict_[a-z0-9_]+)\{((?:[^}"]|"[^"]*")*)\}/g,
      ))
        for (const [, label = '', operator = '', value = ''] of selectors.matchAll(/(\w+)(=~|!~|=)"([^"]*)"/g)) {
          if (label === 'job') continue;
          const values = metrics.get(name)?.get(label);
          expect(values, `${name} has ${label}`).to.be.an.instanceof(Set);
          if (operator === '=' && label !== 'route') expect([...values!], expression).to.include(value);
        }
    }
  });

  it('ask for the route of executions by the name that requests are counted under', async () => {
    const routes = (await labelsOfMetrics()).get('verdict_http_requests_total')?.get('route');
    const named = expressions.flatMap((one) => [...one.matchAll(/route="([^"]*)"/g)].map(([, route = '']) => route));
    expect(named.length).to.be.at.least(2);
    for (const route of named) expect([...routes!]).to.include(route);
  });

  it('lay panels out side by side, each with a title and queries of its own', () => {
    const taken = new Set<string>();
    expect(new Set(panels.map(({ id }) => id)).size).to.equal(panels.length);
    for (const { title, type, targets, gridPos } of panels) {
      expect(title).to.match(/^[A-Z]/);
      if (type !== 'row') expect(targets, title).to.have.length.above(0);
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++)
        for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++) {
          expect(taken.has(`${x} ${y}`), title).to.equal(false);
          taken.add(`${x} ${y}`);
        }
    }
  });

  it('are rules and queries to Prometheus', function () {
    this.timeout(600_000);
    const promtool = promtoolFor(this);
    const rules = promtool('check', 'rules', file('alerts.yaml'));
    expect(rules.status, rules.stderr).to.equal(0);
    expect(rules.stdout).to.contain(`${alerts.length} rules found`);
    // It reads expressions in files of rules alone; YAML has JSON in it.
    const queries = expressions.map((one, at) => ({
      record: `query_${at}`,
      expr: one.replaceAll('$__rate_interval', '5m').replaceAll('$job', 'verdict'),
    }));
    const folder = mkdtempSync(join(tmpdir(), 'queries-'));
    try {
      const path = join(folder, 'queries.yaml');
      writeFileSync(path, JSON.stringify({ groups: [{ name: 'queries', rules: queries }] }));
      const checked = promtool('check', 'rules', '--lint=none', path);
      expect(checked.status, checked.stderr).to.equal(0);
      writeFileSync(
        path,
        JSON.stringify({ groups: [{ name: 'q', rules: [{ record: 'a', expr: 'sum(rate(x[5m]' }] }] }),
      );
      expect(promtool('check', 'rules', path).status).to.equal(1);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
