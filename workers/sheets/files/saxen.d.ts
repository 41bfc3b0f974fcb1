/** The part of saxen, which has no types of its own, that is used here. */
declare module 'saxen' {
  export class Parser {
    /** Names of elements and attributes get these prefixes, by namespace. */
    ns(prefixes: Record<string, string>): this;
    on(event: 'error' | 'warn', handler: (error: Error) => void): this;
    on(event: 'openTag', handler: (name: string, attributes: () => Record<string, string>) => void): this;
    on(
      event: 'closeTag',
      handler: (name: string, decode: (text: string) => string, selfClosing: boolean) => void,
    ): this;
    on(event: 'text' | 'cdata' | 'comment' | 'question' | 'attention', handler: (text: string) => void): this;
    parse(xml: string): void;
  }
}
