/** Of what entries of a workspace tell: all types that there are. A test holds them against the writing operations. */
export const auditKinds = [
  ...['decision', 'version', 'environment', 'variable', 'hosts', 'evaluation_hosts', 'deployment', 'routing'],
  ...['protection', 'change_request', 'replay', 'shadow', 'monitor', 'measured', 'measures', 'outcomes', 'retention'],
  ...['erasure', 'execution', 'evidence', 'audit_entry', 'callback', 'client', 'workspace', 'policy'],
] as const;
