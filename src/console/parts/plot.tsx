import type { ComponentChildren } from 'preact';
import { shortened } from './small.js';

interface FigureProps {
  readonly title: string;
  /** What is told apart: its colour, and what it is now, or was in all. */
  readonly legend: readonly (readonly [colour: string, text: string])[];
  /** At the top; 0 is at the bottom. */
  readonly most: number;
  /** As they are read, each with its share of the way from the left to the right. */
  readonly times: readonly (readonly [share: number, text: string])[];
  /** Within a box of `size`. */
  readonly drawn: ComponentChildren;
  readonly marks?: ComponentChildren;
}

/** Of a drawing, which is stretched to its place. */
export const size = { width: 1000, height: 100 };

/** Something drawn over time. For those who can't see it, the legend stands as text. */
export const TimeFigure = ({ title, legend, most, times, drawn, marks }: FigureProps) => (
  <figure class="panel plot">
    <figcaption>
      <b>{title}</b>
      {legend.map(([colour, text]) => (
        <span key={text} class="legend">
          <span class="dot" aria-hidden="true" style={{ background: colour }} /> {text}
        </span>
      ))}
    </figcaption>
    <div class="time-plot" aria-hidden="true">
      <div class="time-counts">
        <span>{shortened(most)}</span>
        <span>0</span>
      </div>
      <div class="time-drawn">
        <svg viewBox={`0 0 ${size.width} ${size.height}`} preserveAspectRatio="none">
          {drawn}
        </svg>
        {marks}
      </div>
      <div class="time-axis">
        {times.map(([share, text]) => (
          <span key={share} style={{ left: `${100 * share}%`, transform: `translateX(${-100 * share}%)` }}>
            {text}
          </span>
        ))}
      </div>
    </div>
  </figure>
);

interface PlotProps {
  readonly title: string;
  readonly unit: string;
  /** Milliseconds since the epoch; one at least. */
  readonly times: readonly number[];
  readonly series: readonly {
    readonly label: string;
    /** A custom property of the style sheet. */
    readonly colour: '--accent' | '--bad' | '--soft' | '--good' | '--warn';
    readonly values: readonly number[];
  }[];
}

/** Lines over time. */
export function Plot({ title, unit, times, series }: PlotProps) {
  const most = Math.max(1, ...series.flatMap(({ values }) => values));
  const [start = 0, end = 0] = [times[0], times.at(-1)];
  const pointOf = (value: number, index: number): string =>
    `${(size.width * ((times[index] ?? end) - start)) / Math.max(1, end - start)},${size.height * (1 - value / most)}`;
  return (
    <TimeFigure
      title={title}
      legend={series.map(({ label, colour, values }) => [
        `var(${colour})`,
        `${label} ${shortened(values.at(-1) ?? 0)} ${unit}`,
      ])}
      most={most}
      times={[0, 0.5, 1].map((share) => [share, new Date(start + share * (end - start)).toLocaleTimeString()])}
      drawn={series.map(({ label, colour, values }) => (
        <polyline key={label} stroke={`var(${colour})`} points={values.map(pointOf).join(' ')} />
      ))}
    />
  );
}
