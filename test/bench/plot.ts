/** A line for each series. */
export interface Plot {
  readonly title: string;
  /** What the horizontal axis shows. */
  readonly axis: string;
  readonly series: readonly Series[];
}

export interface Series {
  readonly name: string;
  /** In the order of the horizontal axis, whose places are evenly spaced. */
  readonly points: readonly { readonly x: string; readonly y: number }[];
}

const width = 480;
const height = 300;
const frame = { left: 56, right: 16, top: 40, bottom: 44 };
/** As many as the report has colours for. */
const colors = 6;
/** More places than that, and not each of them has its name and dots. */
const maxNames = 12;

/** A plot as one SVG element. */
export function plot({ title, axis, series }: Plot): string {
  const places = series[0]?.points.map(({ x }) => x) ?? [];
  const top = niceTop(Math.max(0, ...series.flatMap(({ points }) => points.map(({ y }) => y))));
  const inner = { width: width - frame.left - frame.right, height: height - frame.top - frame.bottom };
  const perPlace = inner.width / Math.max(1, places.length);
  const xOf = (index: number): number => frame.left + (index + 0.5) * perPlace;
  const yOf = (value: number): number => frame.top + inner.height * (1 - value / top);

  const grid = [0, 0.25, 0.5, 0.75, 1].map((share) => {
    const y = yOf(share * top).toFixed(1);
    return `<line x1="${frame.left}" x2="${width - frame.right}" y1="${y}" y2="${y}" class="grid"/><text x="${frame.left - 6}" y="${y}" dy="4" text-anchor="end">${short(share * top)}</text>`;
  });
  const step = Math.ceil(places.length / maxNames);
  const names = places.map((name, index) =>
    index % step === 0
      ? `<text x="${xOf(index).toFixed(1)}" y="${height - 26}" text-anchor="middle">${name}</text>`
      : '',
  );
  const lines = series.map(({ points }, index) => {
    const path = points.map(({ y }, place) => `${xOf(place).toFixed(1)},${yOf(y).toFixed(1)}`);
    const dots = points.map(
      ({ x, y }, place) =>
        `<circle cx="${xOf(place).toFixed(1)}" cy="${yOf(y).toFixed(1)}" r="${step === 1 ? 4 : 1.5}"><title>${x}: ${y.toFixed(1)}</title></circle>`,
    );
    return `<g class="s${index % colors}"><polyline points="${path.join(' ')}"/>${dots.join('')}</g>`;
  });
  return `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${title} by ${axis}">
<text x="12" y="20">${title}</text>${legend(series)}
${[...grid, ...names, ...lines].join('\n')}
<text x="${frame.left + inner.width / 2}" y="${height - 8}" text-anchor="middle">${axis}</text></svg>`;
}

function legend(series: readonly Series[]): string {
  if (series.length < 2) return '';
  // Beside the title while there is room, else a line of its own.
  const few = series.length <= 3;
  const each = few ? 96 : (width - 16) / series.length;
  const y = few ? 20 : 35;
  return series
    .map(({ name }, index) => {
      const x = width - each * (series.length - index);
      return `<rect class="s${index % colors}" x="${x}" y="${y - 9}" width="10" height="10"/><text x="${x + 15}" y="${y}">${name}</text>`;
    })
    .join('');
}

/** The next round number. */
function niceTop(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1)));
  return power * ([1, 1.5, 2, 3, 4, 5, 6, 8, 10].find((step) => step * power >= value) ?? 10);
}

const short = (value: number): string =>
  value >= 1000 ? `${Number((value / 1000).toFixed(2))} k` : String(Number(value.toFixed(1)));
