import { Gauge, type Registry } from 'prom-client';
import type { EvidenceState } from '../../evidence/sequencer.js';
import type { RefusalReason } from '../../evidence/trees.store.js';

/** How far evidence is behind the records, and of how many workspaces nothing is signed. One process at a time knows. */
export function registerEvidenceMetrics(registry: Registry, state: EvidenceState): void {
  const count = (reason: RefusalReason): number => [...state.refused.values()].filter((one) => one === reason).length;
  new Gauge({
    name: 'verdict_evidence_refused_trees',
    help: 'Workspaces that have old records and no tree of evidence: none is begun, and nothing is signed',
    registers: [registry],
    collect() {
      this.set(count('no_tree'));
    },
  });
  new Gauge({
    name: 'verdict_evidence_behind_trees',
    help: 'Workspaces whose tree is behind a head that is kept outside of the database, which was restored: nothing is signed',
    registers: [registry],
    collect() {
      this.set(count('evidence_behind'));
    },
  });
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
