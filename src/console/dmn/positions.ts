/** Where elements are drawn, by their ids. */
export type Positions = ReadonlyMap<string, { readonly x: number; readonly y: number }>;
