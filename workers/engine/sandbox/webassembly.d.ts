/** The little of WebAssembly's JavaScript API that is used here: it stands in TypeScript's DOM library alone. */
declare namespace WebAssembly {
  type Imports = Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  type Exports = Readonly<Record<string, unknown>>;
  class Memory {
    constructor(descriptor: { initial: number; maximum: number });
    readonly buffer: ArrayBuffer;
    grow(pages: number): number;
  }
  interface Instance {
    readonly exports: Exports;
  }
  const Instance: new (module: Module, imports: Imports) => Instance;
  function compile(bytes: Uint8Array): Promise<Module>;
}
