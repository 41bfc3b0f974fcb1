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

export function keyboardOf(page: Page): Keyboard {
  const press = async (...keys: readonly string[]): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key);
  };
  return {
    press,
    type: (text) => page.keyboard.type(text),
    async tabTo(target, key = 'Tab') {
      await target.first().waitFor();
      for (let stops = 0; stops < maxStops; stops++) {
        await press(key);
        const unseen = await page.evaluate<string | null>(unseenFocus);
        if (unseen !== null) throw new Error(`The focus cannot be seen on ${unseen}`);
        if (await target.first().evaluate(hasFocus)) return;
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

const hasFocus = (element: unknown): boolean => {
  const node = element as { contains(other: unknown): boolean; ownerDocument: { activeElement: unknown } };
  return node.contains(node.ownerDocument.activeElement);
};

/**
 * In the browser: the element that has the focus, where nothing marks it: neither an outline, nor a shadow, nor a thicker
 * line of a drawn node, nor the caret of a text.
 */
const unseenFocus = `(() => {
  const element = document.activeElement;
  if (element === null || element === document.body) return null;
  const isMarked = (each) => {
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(each);
    return (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none';
  };
  const box = element.querySelector(':scope > .box');
  const isDrawn = box !== null && parseFloat(getComputedStyle(box).strokeWidth) >= 4;
  const hasCaret = element.isContentEditable;
  return isMarked(element) || isDrawn || hasCaret ? null : element.outerHTML.slice(0, 300);
})()`;
