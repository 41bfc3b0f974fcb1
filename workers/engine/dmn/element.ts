/** An element of a document. Elements of other namespaces, such as extensions and layouts, are left out. */
export interface Element {
  /** Without its prefix. */
  readonly name: string;
  readonly attributes: Readonly<Record<string, string | undefined>>;
  readonly children: readonly Element[];
  /** The path of elements: `/definitions/decision[2]`; the number is left out where there is one of the name. */
  readonly pointer: string;
  /** Its own text, entities decoded. */
  readonly text: string;
  /** The unit of the document at which its start tag begins. */
  readonly offset: number;
  /** The first unit after it. */
  readonly end: number;
}

/** An element whose path is worked out when it is asked for: only diagnostics show it. */
export class ReadElement implements Element {
  readonly name: string;
  readonly attributes: Element['attributes'];
  readonly children: ReadElement[] = [];
  readonly offset: number;
  readonly #parent: ReadElement | undefined;
  text = '';
  end = 0;
  /** Among those of its name, from 1 on; 0 for the only one. */
  #position = 0;

  constructor(name: string, attributes: Element['attributes'], offset: number, parent: ReadElement | undefined) {
    this.name = name;
    this.attributes = attributes;
    this.offset = offset;
    this.#parent = parent;
  }

  get pointer(): string {
    const number = this.#position === 0 ? '' : `[${this.#position}]`;
    return `${this.#parent?.pointer ?? ''}/${this.name}${number}`;
  }

  /** Numbers the children of each name of which there are several. */
  number(): void {
    if (this.children.length < 2) return;
    const seen = new Map<string, ReadElement[]>();
    for (const child of this.children) {
      const alike = seen.get(child.name);
      if (alike === undefined) seen.set(child.name, [child]);
      else alike.push(child);
    }
    for (const alike of seen.values()) {
      if (alike.length > 1) for (const [index, child] of alike.entries()) child.#position = index + 1;
    }
  }
}

/** Lets go of the elements within one that was read: what was compiled may hold on to it. */
export function release(element: Element): void {
  for (const child of element.children) release(child);
  if (element instanceof ReadElement) element.children.length = 0;
}

/** The first child of a name. */
export const childOf = (element: Element, name: string): Element | undefined =>
  element.children.find((child) => child.name === name);

export const childrenOf = (element: Element, name: string): Element[] =>
  element.children.filter((child) => child.name === name);

/** The text of the `text` element within a child, blanks around it left out; undefined where there is none. */
export function textWithin(element: Element, name?: string): string | undefined {
  const child = name === undefined ? element : childOf(element, name);
  const text = child && childOf(child, 'text');
  return text?.text;
}
