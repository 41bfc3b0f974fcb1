/** The part of saxen, which has no types of its own, that is used here. */
declare module 'saxen' {
  export class Parser {
    on(event: 'error', handler: (error: Error) => void): this;
    on(event: 'openTag', handler: (name: string, attributes: () => Record<string, string>) => void): this;
    on(event: 'closeTag', handler: (name: string) => void): this;
    on(event: 'text' | 'cdata', handler: (text: string) => void): this;
    parse(xml: string): void;
  }
}
