/**
 * Style of the service's own pages (guides, error codes): light or dark as the system prefers, down to the width of a
 * phone. All rules are scoped to `.page`, because the API viewer on `/docs` has its own style.
 */
export const pageStyle = `
:root { color-scheme: light dark; --ink: #1c2330; --soft: #5a6474; --paper: #fff; --box: #f4f6f8; --line: #dde2e8; --link: #0b5cad }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e9ee; --soft: #9aa5b4; --paper: #14181f; --box: #1d232d; --line: #313a47; --link: #7db8f5 }
}
body { margin: 0; background: var(--paper); color: var(--ink); font: 17px/1.55 system-ui, sans-serif }
.page { max-width: 46rem; margin: 0 auto; padding: 2.5rem 1.25rem 4rem; overflow-wrap: break-word }
.page a { color: var(--link) }
.page h1 { margin: .25rem 0 0; font-size: 1.7rem; line-height: 1.25 }
.page h2 { margin: 2rem 0 .5rem; font-size: 1.1rem }
.page .meta { margin: .5rem 0 0; color: var(--soft) }
.page .meta b { color: var(--ink) }
.page li { margin: .35rem 0 }
.page code, .page pre { font: .88em/1.5 ui-monospace, Consolas, monospace }
.page code { background: var(--box); border-radius: 3px; padding: .1em .3em; overflow-wrap: anywhere }
.page pre { background: var(--box); border: 1px solid var(--line); border-radius: 6px; padding: 1rem; overflow-x: auto; white-space: pre-wrap; overflow-wrap: anywhere }
.page table { width: 100%; border-collapse: collapse }
.page td { padding: .4rem .75rem .4rem 0; border-bottom: 1px solid var(--line); vertical-align: top }
`;
