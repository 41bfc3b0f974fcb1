/** A resource with the revision of its row, which its entity tag is made from. */
export interface RevisedResource<T> {
  readonly resource: T;
  readonly revision: number;
}
