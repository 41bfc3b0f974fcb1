/** What came of what was decided: outcomes, what is counted of executions while they run, and monitors of that. */
export const measures = {
  // What really happened. subject is "e" and an execution's id, or "r" and a reference; neither is a foreign key, since an outcome
  // may be told before its execution is recorded, and outlive it. value is JSON, digest its hash. A later value stands beside the
  // earlier; the newest of a subject and name is the end of a range of the primary key.
  outcomes: `
    workspace_id BINARY(16) NOT NULL,
    subject VARCHAR(256) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    name VARCHAR(100) NOT NULL,
    at DATETIME(3) NOT NULL,
    digest BINARY(16) NOT NULL,
    value VARCHAR(2048) NOT NULL,
    created_at DATETIME(3) NOT NULL,
    PRIMARY KEY (workspace_id, subject, name, at, digest),
    CONSTRAINT outcomes_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspaces (id)`,
  // By hour. Each process writes rows (part_id) of its own, with all that it has counted there so far: whoever reads adds them
  // up. additions: the number of the last addition, which ascends in its process, so that a repeated one counts nothing twice.
  // warnings: nulls of DMN models that were told. times, fields: JSON.
  measures: `
    workspace_id BINARY(16) NOT NULL,
    decision_id BINARY(16) NOT NULL,
    hour DATETIME NOT NULL,
    environment_id BINARY(16) NOT NULL,
    version INT UNSIGNED NOT NULL,
    part_id BINARY(16) NOT NULL,
    additions BIGINT UNSIGNED NOT NULL,
    count INT UNSIGNED NOT NULL,
    failed INT UNSIGNED NOT NULL,
    warnings BIGINT UNSIGNED NOT NULL DEFAULT 0,
    times TEXT NOT NULL,
    fields MEDIUMTEXT NULL,
    PRIMARY KEY (workspace_id, decision_id, hour, environment_id, version, part_id),
    CONSTRAINT measures_decision_fk FOREIGN KEY (workspace_id, decision_id)
      REFERENCES decisions (workspace_id, id) ON DELETE CASCADE`,
  // Which fields of results are counted. pointers: JSON.
  measured_fields: `
    workspace_id BINARY(16) NOT NULL,
    decision_id BINARY(16) NOT NULL,
    pointers TEXT NOT NULL,
    updated_at DATETIME(3) NOT NULL,
    PRIMARY KEY (workspace_id, decision_id),
    CONSTRAINT measured_fields_decision_fk FOREIGN KEY (workspace_id, decision_id)
      REFERENCES decisions (workspace_id, id) ON DELETE CASCADE`,
  // request is what was asked for, JSON. tripped is what was told last, and value what was measured last; NULL before there was
  // enough.
  monitors: `
    id BINARY(16) NOT NULL,
    workspace_id BINARY(16) NOT NULL,
    environment_id BINARY(16) NOT NULL,
    decision_id BINARY(16) NOT NULL,
    request TEXT NOT NULL,
    tripped BOOLEAN NOT NULL DEFAULT FALSE,
    value DOUBLE NULL,
    changed_at DATETIME(3) NULL,
    looked_at DATETIME(3) NULL,
    created_at DATETIME(3) NOT NULL,
    PRIMARY KEY (id),
    UNIQUE KEY monitors_workspace (workspace_id, id),
    KEY monitors_environment (workspace_id, environment_id),
    KEY monitors_decision (workspace_id, decision_id),
    CONSTRAINT monitors_environment_fk FOREIGN KEY (workspace_id, environment_id)
      REFERENCES environments (workspace_id, id) ON DELETE CASCADE,
    CONSTRAINT monitors_decision_fk FOREIGN KEY (workspace_id, decision_id)
      REFERENCES decisions (workspace_id, id) ON DELETE CASCADE`,
};
