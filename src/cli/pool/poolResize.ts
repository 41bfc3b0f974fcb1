import type { PoolSettings } from '../../admission/pool/settings.js';
import { adminUrl, askPool, poolVariables } from './adminPort.js';
import { poolText } from './poolText.js';

// What `make pool-resize` executes: MIN, MAX, QUEUE and TIMEOUT_MS of its environment become the pool's, at once.

try {
  const report = await askPool(adminUrl(process.env), readChanges());
  process.stdout.write(`${poolText(report)}\n`);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}

function readChanges(): Partial<PoolSettings> {
  const given = Object.entries(poolVariables).flatMap(([variable, name]) => {
    const text = process.env[variable] ?? '';
    if (text === '') return [];
    if (!/^\d+$/.test(text)) throw new Error(`${variable} must be a whole number.`);
    return [[name, Number(text)]];
  });
  if (given.length === 0)
    throw new Error('Say what is to change: make pool-resize MIN=1 MAX=4 [QUEUE=500] [TIMEOUT_MS=5000]');
  return Object.fromEntries(given) as Partial<PoolSettings>;
}
