import { Counter, type Registry } from 'prom-client';

/** Metrics of analyses: counts claims that their own runs did not show, from the start as 0. */
export function analysisMetrics(registry: Registry): (count: number) => void {
  const unconfirmed = new Counter({
    name: 'verdict_analysis_unconfirmed_total',
    help: 'What an analysis had proved and the engine did not show: 0, unless the method has a fault.',
    registers: [registry],
  });
  return (count) => unconfirmed.inc(count);
}
