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
/** After so many stops the target is looked for anew: it may have been drawn again somewhere else. */
const stopsOfOne = 10;

export function keyboardOf(page: Page): Keyboard {
  const press = async (...keys: readonly string[]): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key);
  };
  return {
    press,
    type: (text) => page.keyboard.type(text),
    async tabTo(target, key = 'Tab') {
      await target.first().waitFor();
      let element = await target.first().elementHandle();
      for (let stops = 1; stops <= maxStops; stops++) {
        await press(key);
        let focus = await element.evaluate(lookAtFocus);
        if (!focus.isThere || stops % stopsOfOne === 0) {
          element = await target.first().elementHandle();
          focus = await element.evaluate(lookAtFocus);
        }
        if (focus.unseen !== null) throw new Error(`The focus cannot be seen on ${focus.unseen}`);
        if (focus.isOn) return;
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

/** What a stop of Tab is. */
interface Focus {
  /** Whether the target is still in the page. */
  readonly isThere: boolean;
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
  readonly ownerDocument: {
    readonly activeElement: Element | null;
    readonly body: Element;
    readonly defaultView: { getComputedStyle(of: Element): Readonly<Record<string, string>> };
  };
  contains(other: Element | null): boolean;
  querySelector(selector: string): Element | null;
}

/**
 * In the browser, in one question, as a walk has thousands of stops. The element that has the focus is marked by an outline, a
 * shadow, a thicker line of a drawn node, or the caret of a text.
 */
const lookAtFocus = (given: unknown): Focus => {
  const target = given as Element;
  const { activeElement: element, body, defaultView } = target.ownerDocument;
  const place = { isThere: target.isConnected, isOn: target.contains(element) };
  if (element === null || element === body) return { ...place, unseen: null };
  const { outlineStyle, outlineWidth, boxShadow } = defaultView.getComputedStyle(element);
  const isMarked = (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none';
  const box = element.querySelector(':scope > .box');
  const isDrawn = box !== null && parseFloat(defaultView.getComputedStyle(box)['strokeWidth'] ?? '') >= 4;
  const isSeen = isMarked || isDrawn || element.isContentEditable === true;
  return { ...place, unseen: isSeen ? null : element.outerHTML.slice(0, 300) };
};
