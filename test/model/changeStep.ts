/** One thing that somebody does, at one of the processes. */
export interface Step {
  readonly kind:
    | ('ask' | 'approve' | 'reject' | 'close' | 'apply' | 'override' | 'protect' | 'unknownDigest')
    | ('deploy' | 'patch' | 'variable' | 'hosts' | 'remove' | 'rollback' | 'crash');
  readonly choice: number;
  readonly server: 0 | 1;
}
