/** Other versions beside the one that ran: replays of recorded executions, and shadows of live ones. */
export const replays = {
  // Jobs that run recorded executions on another version. request is what was asked for, tallies what is counted so far, report
  // what is shown of that, all JSON. position is the last execution that is counted. A removed one stays until its
  // differences are gone. error: why one has failed.
  replays: `
    id BINARY(16) NOT NULL,
    workspace_id BINARY(16) NOT NULL,
    status ENUM('RUNNING', 'COMPLETED', 'CANCELLED', 'FAILED', 'REMOVED') NOT NULL,
    request MEDIUMTEXT NOT NULL,
    total INT UNSIGNED NULL,
    done INT UNSIGNED NOT NULL DEFAULT 0,
    position BINARY(16) NULL,
    tallies MEDIUMTEXT NOT NULL,
    report MEDIUMTEXT NOT NULL,
    difference_bytes INT UNSIGNED NOT NULL DEFAULT 0,
    error VARCHAR(1000) NULL,
    revision INT UNSIGNED NOT NULL DEFAULT 1,
    created_at DATETIME(3) NOT NULL,
    updated_at DATETIME(3) NOT NULL,
    PRIMARY KEY (id),
    UNIQUE KEY replays_workspace (workspace_id, id),
    KEY replays_status (workspace_id, status, id),
    CONSTRAINT replays_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspaces (id)`,
  // The name of an execution is no foreign key: it may be pruned. replay_differences_execution: for what is erased with an
  // execution, without the workspace, so that nothing else is read by it; replay_differences_reference: for what is erased of pruned ones.
  replay_differences: `
    workspace_id BINARY(16) NOT NULL,
    replay_id BINARY(16) NOT NULL,
    execution_id BINARY(16) NOT NULL,
    reference VARCHAR(255) CHARACTER SET ascii COLLATE ascii_bin NULL,
    changes MEDIUMTEXT NOT NULL,
    PRIMARY KEY (workspace_id, replay_id, execution_id),
    KEY replay_differences_execution (execution_id),
    KEY replay_differences_reference (workspace_id, reference, execution_id),
    CONSTRAINT replay_differences_replay_fk FOREIGN KEY (workspace_id, replay_id)
      REFERENCES replays (workspace_id, id)`,
  // By which place a difference is found; the place by the first bytes of its SHA-256.
  replay_places: `
    workspace_id BINARY(16) NOT NULL,
    replay_id BINARY(16) NOT NULL,
    pointer_digest BINARY(16) NOT NULL,
    execution_id BINARY(16) NOT NULL,
    PRIMARY KEY (workspace_id, replay_id, pointer_digest, execution_id),
    CONSTRAINT replay_places_replay_fk FOREIGN KEY (workspace_id, replay_id) REFERENCES replays (workspace_id, id)`,
  // Versions that live executions are also run on. request is what was asked for, tallies what all processes have counted so
  // far, report what is shown of that, all JSON. ended_at is NULL while it runs, up to expires_at.
  shadows: `
    id BINARY(16) NOT NULL,
    workspace_id BINARY(16) NOT NULL,
    request MEDIUMTEXT NOT NULL,
    tallies MEDIUMTEXT NOT NULL,
    report MEDIUMTEXT NOT NULL,
    expires_at DATETIME(3) NOT NULL,
    ended_at DATETIME(3) NULL,
    revision INT UNSIGNED NOT NULL DEFAULT 1,
    created_at DATETIME(3) NOT NULL,
    updated_at DATETIME(3) NOT NULL,
    PRIMARY KEY (id),
    UNIQUE KEY shadows_workspace (workspace_id, id),
    KEY shadows_running (ended_at, expires_at),
    CONSTRAINT shadows_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspaces (id)`,
};
