/** A word that may stand at the caret. */
export interface Word {
  readonly label: string;
  /** How it is written, where its name is no word of the language. */
  readonly written?: string;
  /** What it is, in a few words. */
  readonly detail: string;
  readonly kind: 'field' | 'function' | 'text' | 'keyword';
}
