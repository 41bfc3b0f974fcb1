const quote = 0x22;
const backslash = 0x5c;

/**
 * Whether JSON text nests deeper than `limit`: asked before the text is parsed, since what walks the value afterwards
 * recurses. Linear, without allocation. Text that is no JSON gets an answer, if not a meaningful one.
 */
export function nestsDeeper(text: string, limit: number): boolean {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (inString) {
      if (unit === backslash) i++;
      else if (unit === quote) inString = false;
    } else if (unit === quote) {
      inString = true;
    } else if (unit === 0x5b || unit === 0x7b) {
      depth += 1;
      if (depth > limit) return true;
    } else if (unit === 0x5d || unit === 0x7d) {
      depth -= 1;
    }
  }
  return false;
}
