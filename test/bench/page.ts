/** An HTML page of results that needs no other file, light or dark as its reader's system is. @param body HTML */
export function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${style}</style></head><body>
${body}
</body></html>
`;
}

/** What plots and tables are drawn with; `--s0` to `--s5` are the lines of a plot. */
const style = `
  :root { color-scheme: light dark; --paper: #fff; --ink: #1e293b; --soft: #475569; --line: #e2e8f0; --panel: #f1f5f9;
    --good: #dcfce7; --bad: #fee2e2;
    --s0: #2563eb; --s1: #ea580c; --s2: #059669; --s3: #7c3aed; --s4: #db2777; --s5: #64748b }
  @media (prefers-color-scheme: dark) {
    :root { --paper: #0f172a; --ink: #e2e8f0; --soft: #a3b1c6; --line: #334155; --panel: #1e293b;
      --good: #14432a; --bad: #4c1d24;
      --s0: #60a5fa; --s1: #fb923c; --s2: #34d399; --s3: #a78bfa; --s4: #f472b6; --s5: #94a3b8 }
  }
  body { font: 15px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem;
    color: var(--ink); background: var(--paper) }
  h1 { font-size: 1.5rem } h2 { font-size: 1.1rem; margin: 2rem 0 .5rem }
  .plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(26rem, 100%), 1fr)); gap: 1rem }
  svg { width: 100%; height: auto; border: 1px solid var(--line); border-radius: 6px }
  svg text { font: 12px system-ui, sans-serif; fill: var(--soft) }
  svg .title { font-weight: 600; fill: var(--ink) }
  svg .grid { stroke: var(--line) }
  svg polyline { fill: none; stroke: var(--color); stroke-width: 2 }
  svg circle, svg rect { fill: var(--color) }
  svg .mark { --color: var(--bad) }
  .s0 { --color: var(--s0) } .s1 { --color: var(--s1) } .s2 { --color: var(--s2) }
  .s3 { --color: var(--s3) } .s4 { --color: var(--s4) } .s5 { --color: var(--s5) }
  pre { background: var(--panel); padding: 1rem; border-radius: 6px; overflow-x: auto }
  .wide { overflow-x: auto }
  table { border-collapse: collapse }
  td, th { padding: .2rem .5rem; border-bottom: 1px solid var(--line); text-align: right; white-space: nowrap }
  td.text, th.text { text-align: left; white-space: normal }
  .verdict { padding: .5rem 1rem; border-radius: 6px; background: var(--good) } .verdict.bad { background: var(--bad) }
  .best { background: var(--good) } .worst { background: var(--bad) }
`;
