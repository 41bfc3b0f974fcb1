import { Gauge, type Registry } from 'prom-client';

/** @param refused workspaces whose evidence is not signed */
export function registerEvidenceMetrics(registry: Registry, refused: ReadonlySet<string>): void {
  new Gauge({
    name: 'verdict_evidence_refused_trees',
    help: 'Workspaces that have old records and no tree of evidence: none is begun, and nothing is signed',
    registers: [registry],
    collect() {
      this.set(refused.size);
    },
  });
}
