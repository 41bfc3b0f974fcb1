import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { projectRoot } from '../../../db/root.js';
import { openProgress } from '../../../src/cli/progress.js';
import { setting } from '../bed.js';
import { atLeast, type Report } from '../report.js';
import { median } from '../numbers.js';
import type { OurTimes } from './ours.js';

type Times = Readonly<Record<string, OurTimes>>;

const rounds = setting('ROUNDS', 7);
const milliseconds = setting('MS', 40);
/** What is wanted of the speed of the version before. */
const least = 0.98;

/**
 * This version's engine beside another's, in turns. Each has processes of its own, because two engines in one process would
 * share V8's inline caches, and pay for each other's shapes.
 * @param base a folder with another version, built
 */
export function compareVersions(base: string, suite: string): Report {
  const progress = openProgress(process.stderr, 'measuring', 2 * rounds);
  const found: Record<'own' | 'base', Times[]> = { own: [], base: [] };
  const folders = { own: projectRoot, base };
  for (let round = 0; round < rounds; round++) {
    for (const side of round % 2 === 0 ? (['own', 'base'] as const) : (['base', 'own'] as const)) {
      found[side].push(timesOf(folders[side], suite));
      progress.advance();
    }
  }
  progress.end();
  const compared = (['plain', 'traced', 'compileMs'] as const).map((what) => {
    const speeds = Object.keys(found.own[0] ?? {}).map((model) => {
      const of = (side: 'own' | 'base'): number => median(found[side].map((times) => times[model]?.[what] ?? NaN));
      return { model, speed: of('base') / of('own') };
    });
    const mean = Math.exp(speeds.reduce((sum, { speed }) => sum + Math.log(speed), 0) / speeds.length);
    return { what, mean, middle: median(speeds.map(({ speed }) => speed)), speeds };
  });
  return {
    parts: [
      `Speed of ${compared[0]?.speeds.length} models, times that of the other version, ${rounds} rounds:`,
      {
        headings: ['', 'mean', 'median', 'slowest'],
        rows: compared.map(({ what, mean, middle, speeds }) => {
          const [slowest] = speeds.toSorted((one, other) => one.speed - other.speed);
          return [what, mean.toFixed(3), middle.toFixed(3), `${slowest?.model} ${slowest?.speed.toFixed(2)}`];
        }),
      },
    ],
    wanted: compared.map(({ what, mean }) => atLeast(`${what}, times that of the other version`, mean, least)),
    found: compared,
  };
}

function timesOf(folder: string, suite: string): Times {
  const child = fileURLToPath(new URL('versionProcess.js', import.meta.url));
  const env = { ...process.env, ENGINE: path.join(folder, 'dist/workers/engine/index.js') };
  const options = { env, encoding: 'utf8', maxBuffer: 2 ** 26 } as const;
  return JSON.parse(execFileSync(process.execPath, [child, suite, String(milliseconds)], options)) as Times;
}
