import type { Locator, Page } from 'playwright-core';

/** Somebody without a mouse. */
export interface Keyboard {
  press(...keys: readonly string[]): Promise<void>;
  type(text: string): Promise<void>;
  /**
   * Presses Tab, or Shift+Tab, until the focus is on it, or within it. Throws where that does not lead there, and where a stop
   * cannot be seen.
   */
  tabTo(target: Locator, key?: 'Tab' | 'Shift+Tab'): Promise<void>;
  isOn(target: Locator): Promise<boolean>;
  /** Puts another text in place of what stands where the focus is. */
  replace(text: string): Promise<void>;
}

const maxStops = 120;
/** A key that is held repeats so often before it is asked how far it led. The page takes no more of them than lead to the target. */
const stopsAtOnce = 8;

export function keyboardOf(page: Page): Keyboard {
  const press = async (...keys: readonly string[]): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key);
  };
  return {
    press,
    type: (text) => page.keyboard.type(text),
    async tabTo(target, key = 'Tab') {
      await target.first().waitFor();
      const isBack = key === 'Shift+Tab';
      // Who has been at work in a table leaves it by Esc: Tab goes from cell to cell there.
      if (await page.evaluate<boolean>(`document.activeElement?.matches('[role="gridcell"]') === true`))
        await press('Escape');
      if (isBack) await page.keyboard.down('Shift');
      try {
        for (let stops = 0; stops < maxStops;) {
          await target.first().evaluate(watchFocus);
          await Promise.all(Array.from({ length: stopsAtOnce }, () => page.keyboard.down('Tab')));
          await page.keyboard.up('Tab');
          const way = await page.evaluate<Way>('tabWay.end()');
          if (way.unseen !== null) throw new Error(`The focus cannot be seen on ${way.unseen}`);
          if (way.isOn) return;
          stops += Math.max(1, way.stops);
        }
      } finally {
        if (isBack) await page.keyboard.up('Shift');
      }
      throw new Error(`Tab does not lead to ${String(target)}.`);
    },
    isOn: (target) => target.evaluate(hasFocus),
    async replace(text) {
      await press('Control+a');
      await page.keyboard.insertText(text);
    },
  };
}

/** Where the focus is, as the page says it. */
export const focusedText = (page: Page): Promise<string> =>
  page.evaluate<string>('(document.activeElement?.textContent ?? "").trim()');

export const hasFocus = (element: unknown): boolean => {
  const node = element as { contains(other: unknown): boolean; ownerDocument: { activeElement: unknown } };
  return node.contains(node.ownerDocument.activeElement);
};

/** Where some presses of Tab have led. */
interface Way {
  readonly stops: number;
  /** Whether the focus is on the target, or within it. */
  readonly isOn: boolean;
  /** The element that has the focus, where nothing marks it. */
  readonly unseen: string | null;
}

/** As much of the DOM as is asked for. */
interface Element {
  readonly isConnected: boolean;
  readonly isContentEditable?: boolean;
  readonly outerHTML: string;
  readonly ownerDocument: Document;
  contains(other: Element | null): boolean;
  querySelector(selector: string): Element | null;
}
interface Document {
  readonly activeElement: Element | null;
  readonly body: Element;
  readonly defaultView: Window;
}
interface Window {
  tabWay?: { end(): Way };
  getComputedStyle(of: Element): Readonly<Record<string, string>>;
  addEventListener(type: 'keydown', listener: (event: KeyEvent) => void, capture: true): void;
  removeEventListener(type: 'keydown', listener: (event: KeyEvent) => void, capture: true): void;
}
interface KeyEvent {
  readonly key: string;
  preventDefault(): void;
  stopImmediatePropagation(): void;
}

/**
 * In the browser: until `tabWay.end()` a press of Tab is taken only where the one before it led to a stop that can be seen, which is
 * not the target, and while the target is in the page: it may be drawn again somewhere else. A walk has thousands of stops, so
 * that the page is not asked about each. What has the focus is marked by an outline, a shadow, a thicker line of a drawn node,
 * or the caret of a text.
 */
const watchFocus = (given: unknown): void => {
  const target = given as Element;
  const { ownerDocument } = target;
  const { body, defaultView } = ownerDocument;
  const unseen = (): string | null => {
    const element = ownerDocument.activeElement;
    if (element === null || element === body) return null;
    const { outlineStyle, outlineWidth, boxShadow } = defaultView.getComputedStyle(element);
    const isMarked = (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none';
    const box = element.querySelector(':scope > .box');
    const isDrawn = box !== null && parseFloat(defaultView.getComputedStyle(box)['strokeWidth'] ?? '') >= 4;
    return isMarked || isDrawn || element.isContentEditable === true ? null : element.outerHTML.slice(0, 300);
  };
  let stops = 0;
  const isOn = (): boolean => target.contains(ownerDocument.activeElement);
  const take = (event: KeyEvent): void => {
    if (event.key !== 'Tab') return;
    if (stops === 0 || (target.isConnected && !isOn() && unseen() === null)) {
      stops++;
      return;
    }
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  defaultView.addEventListener('keydown', take, true);
  defaultView.tabWay = {
    end() {
      defaultView.removeEventListener('keydown', take, true);
      return { stops, isOn: isOn(), unseen: unseen() };
    },
  };
};
