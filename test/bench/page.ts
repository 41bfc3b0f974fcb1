/** An HTML page of results that needs no other file. @param body HTML */
export function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>
  body { font: 15px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; color: #1e293b }
  h1 { font-size: 1.5rem } h2 { font-size: 1.1rem; margin: 2rem 0 .5rem }
  .plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(26rem, 1fr)); gap: 1rem }
  svg { width: 100%; height: auto; border: 1px solid #e2e8f0; border-radius: 6px; background: #fff }
  svg text { font: 12px system-ui, sans-serif; fill: #475569 }
  pre { background: #f1f5f9; padding: 1rem; border-radius: 6px; overflow-x: auto }
  table { border-collapse: collapse; font-variant-numeric: tabular-nums } table + p { margin-top: .5rem }
  td, th { padding: .2rem .5rem; border-bottom: 1px solid #e2e8f0; text-align: right; vertical-align: top }
  td:first-child, th:first-child, td.text, th.text { text-align: left }
  .verdict { padding: .5rem 1rem; border-radius: 6px; background: #dcfce7 } .verdict.bad { background: #fee2e2 }
</style></head><body>
${body}
</body></html>
`;
}
