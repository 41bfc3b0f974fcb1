/** What the reader of documents needs, and the types of browsers do not have: every engine of Chromium's kind has it. */
interface ErrorConstructor {
  stackTraceLimit: number;
}
