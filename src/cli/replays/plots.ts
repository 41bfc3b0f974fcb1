import { escaped } from '../../api/printed.js';

export interface Bar {
  readonly name: string;
  readonly value: number;
  /** A class of the page's style. */
  readonly kind?: string;
}

export interface Pair {
  readonly name: string;
  readonly before: number | null;
  readonly after: number | null;
}

const width = 480;
const bar = { left: 150, right: 70, top: 34, height: 18, gap: 8 };
/** Characters of a name. */
const longest = 22;

/** Bars with names and values, as one SVG element. */
export function barPlot(title: string, bars: readonly Bar[]): string {
  const most = Math.max(1, ...bars.map(({ value }) => value));
  const lines = bars.map(({ name, value, kind = 'after' }, index) => {
    const y = bar.top + index * (bar.height + bar.gap);
    return line({ name, kind, y, share: value / most, shown: String(value) });
  });
  return svg(title, bars.length, lines);
}

/** For each name a bar before and one after; names without both are left out. */
export function pairPlot(title: string, pairs: readonly Pair[]): string {
  const most = Math.max(
    Number.MIN_VALUE,
    ...pairs.flatMap(({ before, after }) => [Math.abs(before ?? 0), Math.abs(after ?? 0)]),
  );
  const lines = pairs.flatMap(({ name, before, after }, index) =>
    (['before', 'after'] as const).map((kind, second) => {
      const value = kind === 'before' ? before : after;
      const y = bar.top + (2 * index + second) * (bar.height + bar.gap);
      const shown = value === null ? '–' : String(Number(value.toPrecision(6)));
      return line({ name: `${name} ${kind}`.trim(), kind, y, share: Math.abs(value ?? 0) / most, shown });
    }),
  );
  return svg(title, 2 * pairs.length, lines);
}

interface Line {
  readonly name: string;
  readonly kind: string;
  readonly y: number;
  readonly share: number;
  readonly shown: string;
}

function line({ name, kind, y, share, shown }: Line): string {
  const length = Math.max(share > 0 ? 1 : 0, share * (width - bar.left - bar.right));
  const middle = y + bar.height / 2 + 4;
  const short = name.length > longest ? `…${name.slice(1 - longest)}` : name;
  return (
    `<g><title>${escaped(`${name}: ${shown}`)}</title>` +
    `<text x="${bar.left - 8}" y="${middle}" text-anchor="end">${escaped(short)}</text>` +
    `<rect class="${kind}" x="${bar.left}" y="${y}" width="${length.toFixed(1)}" height="${bar.height}" rx="2"/>` +
    `<text x="${(bar.left + length + 6).toFixed(1)}" y="${middle}">${escaped(shown)}</text></g>`
  );
}

function svg(title: string, lines: number, content: readonly string[]): string {
  const height = bar.top + lines * (bar.height + bar.gap) + 6;
  return (
    `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(title)}">` +
    `<text x="12" y="20" class="title">${escaped(title)}</text>${content.join('')}</svg>`
  );
}
