/** A resource with the revision of its row, which its entity tag is made from. */
export interface RevisedResource<T> {
  readonly resource: T;
  readonly revision: number;
}

/** The same, with the revision among its fields. */
export type Revised<T> = T & { readonly revision: number };
