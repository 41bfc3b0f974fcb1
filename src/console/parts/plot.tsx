import { useEffect, useMemo, useRef, useState } from 'preact/hooks';

interface Series {
  readonly label: string;
  /** A custom property of the style sheet. */
  readonly colour: '--accent' | '--bad' | '--soft' | '--good' | '--warn';
  readonly values: readonly number[];
}

interface PlotProps {
  readonly title: string;
  readonly unit: string;
  /** Seconds since the epoch. */
  readonly times: readonly number[];
  readonly series: readonly Series[];
}

const height = 150;

/** A plot over time, by uPlot, which is loaded where it is needed. For those who can't see it, its last values stand as text. */
export function Plot({ title, unit, times, series }: PlotProps) {
  const parent = useRef<HTMLDivElement>(null);
  const data = useRef<[number[], ...number[][]]>([[]]);
  const dark = useDark();
  const redraw = useRef<() => void>(() => undefined);
  data.current = [[...times], ...series.map(({ values }) => [...values])];
  useEffect(() => {
    const element = parent.current;
    if (element === null) return;
    let stop = (): void => undefined;
    let isShown = true;
    void import('uplot').then(({ default: UPlot }) => {
      if (!isShown) return;
      const style = getComputedStyle(element);
      const ink = (name: string): string => resolved(element, style.getPropertyValue(name));
      const axis = {
        stroke: ink('--soft'),
        grid: { stroke: ink('--line'), width: 1 },
        ticks: { show: false },
        size: 46,
      };
      const plot = new UPlot(
        {
          width: element.clientWidth,
          height,
          legend: { show: false },
          cursor: { show: false },
          scales: { y: { range: (_plot, _least, most) => [0, Math.max(most * 1.1, 1)] } },
          axes: [
            { ...axis, size: 28, space: 90, incrs: wholeSeconds, values: (_plot, ticks) => ticks.map(clockText) },
            axis,
          ],
          series: [
            {},
            ...series.map(({ label, colour }) => ({ label, stroke: ink(colour), width: 1.5, points: { show: false } })),
          ],
        },
        data.current,
        element,
      );
      const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }));
      observer.observe(element);
      redraw.current = () => plot.setData(data.current);
      stop = () => {
        observer.disconnect();
        plot.destroy();
      };
    });
    return () => {
      isShown = false;
      stop();
    };
  }, [dark]);
  useEffect(() => redraw.current(), [times]);
  return (
    <figure class="panel plot">
      <figcaption>
        <b>{title}</b>
        {series.map(({ label, colour, values }) => (
          <span key={label} class="legend">
            <span class="dot" aria-hidden="true" style={{ background: `var(${colour})` }} /> {label}{' '}
            {shortened(values.at(-1) ?? 0)} {unit}
          </span>
        ))}
      </figcaption>
      <div ref={parent} aria-hidden="true" class="plot-place" />
    </figure>
  );
}

/** Between two ticks: of less than a second both would say the same. */
const wholeSeconds = [1, 5, 10, 30, 60, 300, 600, 1800, 3600];
const clockText = (seconds: number): string => new Date(seconds * 1000).toLocaleTimeString();

/** A canvas keeps its colours, and so is made anew when the system turns dark or light. */
function useDark(): boolean {
  const query = useMemo(() => matchMedia('(prefers-color-scheme: dark)'), []);
  const [dark, setDark] = useState(query.matches);
  useEffect(() => {
    const follow = (): void => setDark(query.matches);
    query.addEventListener('change', follow);
    return () => query.removeEventListener('change', follow);
  }, [query]);
  return dark;
}

export const shortened = (value: number): string => String(Number(value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0)));

/** A canvas knows no `light-dark()`: the browser says which colour it is now. */
function resolved(element: HTMLElement, colour: string): string {
  const probe = document.createElement('span');
  probe.style.color = colour;
  element.append(probe);
  const value = getComputedStyle(probe).color;
  probe.remove();
  return value;
}
