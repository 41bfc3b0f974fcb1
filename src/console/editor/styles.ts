/**
 * In place of `rc-util/es/Dom/dynamicCSS`, by which antd adds `style` elements to the page: the console's policy refuses
 * those. Sheets made by scripts it lets pass, and they are dropped with the page.
 */
interface Options {
  /** antd's: a higher one comes later, and wins. */
  readonly priority?: number;
  readonly prepend?: boolean | 'queue';
}

interface SheetProps {
  readonly dangerouslySetInnerHTML: { readonly __html: string };
}

interface Entry {
  readonly sheet: CSSStyleSheet;
  readonly order: number;
  css: string;
}

const entries = new Map<string, Entry>();
let own: readonly CSSStyleSheet[] = [];

function adopt(): void {
  const foreign = document.adoptedStyleSheets.filter((sheet) => !own.includes(sheet));
  own = [...entries.values()].sort((a, b) => a.order - b.order).map(({ sheet }) => sheet);
  document.adoptedStyleSheets = [...own, ...foreign];
}

/** In place of a `style` element of the editor's own. */
export function Sheet({ dangerouslySetInnerHTML: { __html: css } }: SheetProps): null {
  updateCSS(css, 'theme of the editor');
  return null;
}

/** What the caller marks as its own; there is no element to be marked. */
const element = { setAttribute: (): void => undefined };

/** Adds a sheet, or changes the one of that key. */
export function updateCSS(css: string, key: string, { priority = 0, prepend = false }: Options = {}): object {
  const present = entries.get(key);
  if (present?.css === css) return element;
  if (present !== undefined) {
    present.css = css;
    present.sheet.replaceSync(css);
    return element;
  }
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  entries.set(key, { sheet, css, order: prepend === false ? Number.MAX_SAFE_INTEGER : priority });
  adopt();
  return element;
}

export function removeCSS(key: string): void {
  if (entries.delete(key)) adopt();
}

let anonymous = 0;

export const injectCSS = (css: string, options: Options = {}): object =>
  updateCSS(css, `anonymous ${++anonymous}`, options);

export const clearContainerCache = (): void => undefined;
