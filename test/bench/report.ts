import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { projectRoot } from '../../db/root.js';
import { table } from '../../src/cli/tableOf.js';
import { plot, type Plot } from './plot.js';

/** What every measurement gives: text, tables and plots in their order, and what was wanted. */
export interface Report {
  readonly parts: readonly Part[];
  /** One that is not met is said, and makes the run fail. */
  readonly wanted?: readonly Wanted[];
  /** All numbers, for the JSON file. */
  readonly found: object;
}

export type Part = string | Rows | { readonly plots: readonly Plot[] };

export interface Rows {
  readonly headings: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
}

export interface Wanted {
  readonly text: string;
  readonly met: boolean;
}

/** A number that may be at least, or at most, another one. */
export const atLeast = (what: string, value: number, least: number): Wanted => ({
  text: `${what}: ${value.toFixed(2)}; at least ${least} is wanted`,
  met: value >= least,
});
export const atMost = (what: string, value: number, most: number): Wanted => ({
  text: `${what}: ${value.toFixed(2)}; at most ${most} is wanted`,
  met: value <= most,
});

/** Prints a report, keeps it in bench-results/ as JSON, and as a page where it has plots; exits with 1 where something is missed. */
export function publish(name: string, report: Report): void {
  const time = new Date().toISOString().slice(0, 19).replaceAll(':', '');
  const folder = join(projectRoot, 'bench-results');
  mkdirSync(folder, { recursive: true });
  const save = (ending: string, text: string): string => {
    const path = join(folder, `${name}-${time}.${ending}`);
    writeFileSync(path, text);
    return relative(process.cwd(), path);
  };
  const page = report.parts.some(isPlots) ? [save('html', htmlOf(name, report))] : [];
  const files = [...page, save('json', `${JSON.stringify({ node: process.version, ...report.found }, null, 2)}\n`)];
  process.stdout.write(`${textOf(report)}\nSaved as ${files.join(', ')}\n`);
  if (report.wanted?.some(({ met }) => !met)) process.exitCode = 1;
}

/** For a terminal. */
export function textOf({ parts, wanted = [] }: Report): string {
  const drawn = parts.flatMap((part) =>
    typeof part === 'string' ? [part] : isPlots(part) ? [] : [table(part.headings, part.rows)],
  );
  return [...drawn, ...wanted.map(({ text, met }) => `${met ? 'met   ' : 'MISSED'}  ${text}`)].join('\n');
}

/** The same with plots, as one file that needs no other, light or dark as its reader's system is. */
export function htmlOf(name: string, { parts, wanted = [] }: Report): string {
  const verdicts = wanted.map(({ text, met }) => `<p class="${met ? 'met' : 'missed'}">${escaped(text)}</p>`);
  const drawn = parts.map((part) =>
    typeof part === 'string'
      ? `<pre>${escaped(part)}</pre>`
      : isPlots(part)
        ? `<div class="plots">${part.plots.map(plot).join('')}</div>`
        : tableHtml(part),
  );
  const title = `Verdict: ${name} of ${new Date().toISOString().slice(0, 10)}`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><style>${style}</style></head><body><h1>${title}</h1>
${[...verdicts, ...drawn].join('\n')}
</body></html>
`;
}

const isPlots = (part: Part): part is { readonly plots: readonly Plot[] } =>
  typeof part !== 'string' && 'plots' in part;

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

function tableHtml({ headings, rows }: Rows): string {
  const cells = (tag: string, row: readonly (string | number)[]): string =>
    `<tr>${row.map((cell) => `<${tag}>${escaped(String(cell))}</${tag}>`).join('')}</tr>`;
  return `<table>${cells('th', headings)}${rows.map((row) => cells('td', row)).join('\n')}</table>`;
}

/** `--s0` to `--s5` are the lines of a plot. */
const style = `
  :root { color-scheme: light dark; --s0: #2563eb; --s1: #ea580c; --s2: #059669; --s3: #7c3aed; --s4: #db2777; --s5: #64748b }
  @media (prefers-color-scheme: dark) {
    :root { --s0: #60a5fa; --s1: #fb923c; --s2: #34d399; --s3: #a78bfa; --s4: #f472b6; --s5: #94a3b8 }
  }
  body { font: 15px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem }
  pre { white-space: pre-wrap; font: inherit }
  .plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(26rem, 100%), 1fr)); gap: 1rem }
  svg { width: 100%; border: 1px solid #8888; border-radius: 6px }
  svg text { font: 12px system-ui, sans-serif; fill: currentColor }
  svg .grid { stroke: #8884 }
  svg polyline { fill: none; stroke: var(--color); stroke-width: 2 } svg circle, svg rect { fill: var(--color) }
  ${[0, 1, 2, 3, 4, 5].map((line) => `.s${line} { --color: var(--s${line}) }`).join(' ')}
  table { display: block; overflow-x: auto; border-collapse: collapse }
  td, th { padding: .2rem .5rem; border-bottom: 1px solid #8884; text-align: left }
  .missed { font-weight: 600; color: #dc2626 }
`;
