import { Gauge, Registry } from 'prom-client';
import { engineNumber } from '../../../workers/engine/index.js';
import { version } from '../../version.js';
import { isReady, type Readiness } from '../administered.js';
import type { Snapshot } from './snapshot.js';

/**
 * What `GET /readyz` says, as metrics, and which build says it. They are made by whoever has the admin port, for all processes
 * together, so that an alert and a load balancer see the same.
 */
export function stateMetrics(readiness: Readiness): Promise<Snapshot> {
  const registry = new Registry();
  const registers = [registry];
  new Gauge({
    name: 'verdict_ready',
    help: '1 where GET /readyz answers 200, else 0.',
    registers,
  }).set(isReady(readiness) ? 1 : 0);
  const up = new Gauge({
    name: 'verdict_dependency_up',
    help: '1 where MySQL or Redis can be worked with, else 0; none where there is no such dependency, or no process that knows.',
    labelNames: ['name'],
    registers,
  });
  const { mysql, redis } = readiness;
  if (mysql !== 'unknown') up.set({ name: 'mysql' }, mysql === 'ok' ? 1 : 0);
  if (redis === 'ok' || redis === 'degraded') up.set({ name: 'redis' }, redis === 'ok' ? 1 : 0);
  new Gauge({
    name: 'verdict_build_info',
    help: 'Always 1; its labels are the version of the service, the number of its engine, and the version of Node.',
    labelNames: ['version', 'engine', 'node'],
    registers,
  }).set({ version, engine: String(engineNumber), node: process.versions.node }, 1);
  return registry.getMetricsAsJSON();
}
