/** What a function node is told that reads a whole number which no double holds. */
export const noNumber = (text: string): string =>
  `JavaScript has no number for ${text}: a function node takes it as a text, \`string(…)\`.`;
