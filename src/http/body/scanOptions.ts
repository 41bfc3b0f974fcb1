export interface ScanLimits {
  readonly maxDepth: number;
  readonly maxValues: number;
}

/** What a scanner keeps of what it reads. */
export interface Kept {
  /** Members of the outermost value that its outline has at most. */
  readonly maxOutline: number;
  /** A member of the outermost object, of whose list it is told where the items are; so many of them at most. */
  readonly list?: { readonly name: string; readonly maxItems: number };
}
