/** The audit trail, records that prove themselves, and what of them is to be erased. */
export const evidence = {
  // Who changed what. Without foreign keys: an entry outlives what it tells of. before_state, after_state: JSON, without secrets.
  // workspace_id is NULL for what belongs to a tenant as a whole. The time is in the id (UUIDv7).
  audit_entries: `
    id BINARY(16) NOT NULL,
    tenant_id BINARY(16) NULL,
    workspace_id BINARY(16) NULL,
    principal VARCHAR(255) NOT NULL,
    request_id BINARY(16) NULL,
    action VARCHAR(64) NOT NULL,
    resource_type VARCHAR(32) NOT NULL,
    resource_id VARCHAR(255) NOT NULL,
    resource_key VARCHAR(512) NULL,
    before_state MEDIUMTEXT NULL,
    after_state MEDIUMTEXT NULL,
    created_at DATETIME(3) NOT NULL,
    PRIMARY KEY (id),
    KEY audit_entries_workspace (workspace_id, id),
    KEY audit_entries_resource (workspace_id, resource_id, id),
    KEY audit_entries_type (workspace_id, resource_type, id),
    KEY audit_entries_principal (workspace_id, principal, id),
    KEY audit_entries_action (workspace_id, action, id)`,
  // Evidence is without foreign keys, too. frontier: the hashes of the tree's right edge, in base64. checkpoint: its head as a
  // signed note. generation: 1, and one more for each restart after a restore, by which the tree gets another origin. Everything up
  // to a cursor was looked at long after its commit. witnessed: the size of the head that the witness has.
  // checked_at: when its records were last walked against it, to the end.
  evidence_trees: `
    workspace_id BINARY(16) NOT NULL,
    origin VARCHAR(512) NOT NULL,
    generation INT UNSIGNED NOT NULL DEFAULT 1,
    size BIGINT UNSIGNED NOT NULL,
    frontier VARCHAR(4096) CHARACTER SET ascii NOT NULL,
    checkpoint TEXT NOT NULL,
    execution_cursor BINARY(16) NOT NULL,
    audit_entry_cursor BINARY(16) NOT NULL,
    witnessed BIGINT UNSIGNED NOT NULL,
    checked_at DATETIME(3) NULL,
    PRIMARY KEY (workspace_id)`,
  // subject_id: of the execution or the audit entry. salt: NULL once the subject was erased. environment_mac: of an
  // execution's environment, which outlives the execution.
  evidence_leaves: `
    workspace_id BINARY(16) NOT NULL,
    position BIGINT UNSIGNED NOT NULL,
    kind ENUM('execution', 'audit_entry') NOT NULL,
    subject_id BINARY(16) NOT NULL,
    hash BINARY(32) NOT NULL,
    salt BINARY(32) NULL,
    environment_mac BINARY(16) NULL,
    PRIMARY KEY (workspace_id, position),
    UNIQUE KEY evidence_leaves_subject (workspace_id, subject_id)`,
  // Complete subtrees of 256, 65,536, … leaves.
  evidence_nodes: `
    workspace_id BINARY(16) NOT NULL,
    level TINYINT UNSIGNED NOT NULL,
    position BIGINT UNSIGNED NOT NULL,
    hash BINARY(32) NOT NULL,
    PRIMARY KEY (workspace_id, level, position)`,
  // Former heads, about one a minute.
  evidence_heads: `
    workspace_id BINARY(16) NOT NULL,
    size BIGINT UNSIGNED NOT NULL,
    checkpoint TEXT NOT NULL,
    created_at DATETIME(3) NOT NULL,
    PRIMARY KEY (workspace_id, size)`,
  // What checks have found that is not as it was recorded. place: by what it is known again. cleared_at: when a later check did not
  // find it any more.
  evidence_findings: `
    workspace_id BINARY(16) NOT NULL,
    id BINARY(16) NOT NULL,
    kind VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    subject_id BINARY(16) NULL,
    detail VARCHAR(500) NOT NULL,
    place BINARY(32) NOT NULL,
    found_at DATETIME(3) NOT NULL,
    seen_at DATETIME(3) NOT NULL,
    cleared_at DATETIME(3) NULL,
    PRIMARY KEY (workspace_id, id),
    UNIQUE KEY evidence_findings_place (workspace_id, place),
    KEY evidence_findings_open (cleared_at)`,
  // private_key: sealed. Public keys stay for good: heads of any age are verified by them.
  evidence_keys: `
    generation INT UNSIGNED NOT NULL,
    public_key BINARY(32) NOT NULL,
    private_key VARBINARY(255) NOT NULL,
    signs_at DATETIME(3) NOT NULL,
    created_at DATETIME(3) NOT NULL,
    PRIMARY KEY (generation)`,
  // What of executions is to be erased, and of what is done a receipt. reference: of the executions; NULL where they are named one by
  // one, and in a receipt. weight: how many executions it names, and at least what an erasure takes in any case.
  erasures: `
    workspace_id BINARY(16) NOT NULL,
    id BINARY(16) NOT NULL,
    reference VARCHAR(255) CHARACTER SET ascii COLLATE ascii_bin NULL,
    principal VARCHAR(255) NOT NULL,
    request_id BINARY(16) NULL,
    weight INT UNSIGNED NOT NULL DEFAULT 100,
    requested INT UNSIGNED NULL,
    erased INT UNSIGNED NOT NULL DEFAULT 0,
    created_at DATETIME(3) NOT NULL,
    completed_at DATETIME(3) NULL,
    PRIMARY KEY (workspace_id, id),
    KEY erasures_waiting (workspace_id, completed_at, weight),
    CONSTRAINT erasures_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspaces (id)`,
  erasure_executions: `
    workspace_id BINARY(16) NOT NULL,
    erasure_id BINARY(16) NOT NULL,
    execution_id BINARY(16) NOT NULL,
    PRIMARY KEY (workspace_id, erasure_id, execution_id),
    CONSTRAINT erasure_executions_erasure_fk FOREIGN KEY (workspace_id, erasure_id)
      REFERENCES erasures (workspace_id, id) ON DELETE CASCADE`,
};
