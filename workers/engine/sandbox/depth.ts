const quote = 0x22;
const backslash = 0x5c;

/**
 * Whether JSON text nests deeper than `limit`: checked before the text is parsed, because code that walks the value
 * afterwards recurses. Linear, without allocation. The answer means nothing for text that is no JSON.
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
