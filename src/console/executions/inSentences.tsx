import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';

/** How a result came about, in the sentences with values of the page that the service makes for paper. */
export function InSentences({ page }: { readonly page: string }) {
  const told = useMemo(() => {
    // Without the page's head: its style is for paper, and the policy of this page would complain of it.
    const [text = ''] = /<main[\s>][^]*<\/main>/.exec(page) ?? [];
    const main = new DOMParser().parseFromString(text, 'text/html').querySelector('main');
    return [...(main?.querySelectorAll(':scope > .reasons, :scope > ol') ?? [])];
  }, [page]);
  if (told.length === 0) return null;
  return (
    <div class="wrapped" aria-label="In sentences" role="group">
      {told.map(shown)}
    </div>
  );
}

/** Texts and lists alone: nothing else of the page is taken over. */
function shown(node: Node): ComponentChildren {
  if (node.nodeType === Node.TEXT_NODE) return node.textContent;
  const inner = Array.from(node.childNodes, shown);
  switch (node.nodeName) {
    case 'OL':
      return <ol>{inner}</ol>;
    case 'UL':
      return <ul>{inner}</ul>;
    case 'LI':
      return <li>{inner}</li>;
    case 'EM':
      return <em>{inner}</em>;
    default:
      return inner;
  }
}
