/** A boxed expression, as it is drawn: a text, or boxes by name, or rows of boxes. */
export type Box =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'entries'; readonly name: string; readonly entries: readonly (readonly [string, Box])[] }
  | { readonly kind: 'rows'; readonly columns: readonly string[]; readonly rows: readonly (readonly Box[])[] };
