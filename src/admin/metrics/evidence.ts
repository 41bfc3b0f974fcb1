import { Gauge, type Registry } from 'prom-client';
import type { RefusalReason } from '../../evidence/trees.store.js';

/** @param refused workspaces whose evidence is not signed, and why */
export function registerEvidenceMetrics(registry: Registry, refused: ReadonlyMap<string, RefusalReason>): void {
  const count = (reason: RefusalReason): number => [...refused.values()].filter((one) => one === reason).length;
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
}
