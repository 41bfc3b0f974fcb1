import { Gauge, type Registry } from 'prom-client';
import type { EvidenceState } from '../../evidence/sequencer.js';
import { createGauges } from './gauges.js';

/** How far evidence is behind the records, and of how many workspaces nothing is signed. One process at a time knows. */
export function registerEvidenceMetrics(registry: Registry, state: EvidenceState): void {
  const gauge = createGauges(registry, () => [...state.refused.values()]);
  gauge(
    'verdict_evidence_refused_trees',
    'Workspaces that have old records and no tree of evidence: none is begun, and nothing is signed',
    (reasons) => reasons.filter((reason) => reason === 'no_tree').length,
  );
  gauge(
    'verdict_evidence_behind_trees',
    'Workspaces whose tree is behind a head that is kept outside of the database, which was restored: nothing is signed',
    (reasons) => reasons.filter((reason) => reason === 'evidence_behind').length,
  );
  new Gauge({
    name: 'verdict_evidence_lag_seconds',
    help: 'What was recorded longer ago has its leaf of evidence; none of a process that does not sequence.',
    aggregator: 'max',
    // A gauge without labels begins with a sample of 0.
    labelNames: ['of'],
    registers: [registry],
    collect() {
      this.reset();
      if (state.completeAt !== undefined) this.set({}, (performance.now() - state.completeAt) / 1000);
    },
  });
}
