import type { Deployment, Measurements } from '../api/types.js';
import { versionName } from '../parts/small.js';
import { stacked, type Parts, type Row } from './sums.js';

interface BarsProps {
  readonly title: string;
  readonly measurements: Measurements;
  /** Made in this time: each is marked. */
  readonly deployments: readonly Deployment[];
  readonly partsOf: (row: Row) => Parts;
}

const [width, height, top] = [600, 140, 14];
/** Kinds that are told apart, each by its colour, its order and its name. */
const mostKinds = 5;

/** A stacked bar for each step of time. For those who can't see it, the sums stand as text, and the table below has all. */
export function Bars({ title, measurements: { data, from, to, step }, deployments, partsOf }: BarsProps) {
  const { names, bars } = stacked(data, partsOf, mostKinds);
  const [start, end] = [Date.parse(from), Date.parse(to)];
  const stepMs = step === 'day' ? 86_400_000 : 3_600_000;
  const slot = (width * stepMs) / (end - start);
  const x = (at: string): number => (width * (Date.parse(at) - start)) / (end - start);
  const sums = [...bars.values()].map((bar) => [...bar.values()].reduce((sum, count) => sum + count, 0));
  const most = Math.max(1, ...sums);
  const total = (name: string): number => [...bars.values()].reduce((sum, bar) => sum + (bar.get(name) ?? 0), 0);
  return (
    <figure class="panel plot">
      <figcaption>
        <b>{title}</b>
        {names.map((name, index) => (
          <span key={name} class="legend">
            <span class={`dot kind-${index}`} aria-hidden="true" /> {name} {total(name)}
          </span>
        ))}
      </figcaption>
      <svg viewBox={`0 0 ${width} ${height + top}`} class="bars-by-time" aria-hidden="true">
        {[...bars].map(([at, bar]) => {
          let y = height + top;
          return names.map((name, index) => {
            const tall = (height * (bar.get(name) ?? 0)) / most;
            y -= tall;
            return (
              <rect key={`${at} ${name}`} class={`kind-${index}`} x={x(at) + 1} y={y} width={slot - 2} height={tall} />
            );
          });
        })}
        {deployments.map(({ id, createdAt, version }) => (
          <g key={id} class="deployed">
            <line x1={x(createdAt)} x2={x(createdAt)} y1={top} y2={height + top} />
            <text x={Math.min(x(createdAt), width - 40)} y={top - 3}>
              {versionName(version)}
            </text>
          </g>
        ))}
      </svg>
    </figure>
  );
}
