/** Protected environments, and the requests by which they change. */
export const changes = {
  // requires_*: which checks a change request must pass. NULL or 0: that check is not required.
  protections: `
    environment_id BINARY(16) NOT NULL,
    workspace_id BINARY(16) NOT NULL,
    approvals TINYINT UNSIGNED NOT NULL,
    author_may_approve BOOLEAN NOT NULL,
    requires_tests BOOLEAN NOT NULL,
    requires_analysis BOOLEAN NOT NULL,
    requires_replay VARCHAR(64) NULL,
    requires_coverage DOUBLE NULL,
    may_override BOOLEAN NOT NULL,
    created_at DATETIME(3) NOT NULL,
    updated_at DATETIME(3) NOT NULL,
    PRIMARY KEY (environment_id),
    KEY protections_workspace (workspace_id, environment_id),
    CONSTRAINT protections_environment_fk FOREIGN KEY (workspace_id, environment_id)
      REFERENCES environments (workspace_id, id) ON DELETE CASCADE`,
  // digest: SHA-256 of everything that would be in force after the change. revision: makes the ETag. notice: why earlier reviews do not
  // count any more.
  change_requests: `
    id BINARY(16) NOT NULL,
    workspace_id BINARY(16) NOT NULL,
    environment_id BINARY(16) NOT NULL,
    title VARCHAR(255) NOT NULL,
    message VARCHAR(4000) NULL,
    author VARCHAR(255) NOT NULL,
    state ENUM('OPEN', 'APPROVED', 'APPLIED', 'REJECTED', 'CLOSED') NOT NULL,
    digest BINARY(32) NOT NULL,
    notice VARCHAR(4000) NULL,
    applied_by VARCHAR(255) NULL,
    applied_at DATETIME(3) NULL,
    revision INT UNSIGNED NOT NULL DEFAULT 1,
    created_at DATETIME(3) NOT NULL,
    updated_at DATETIME(3) NOT NULL,
    PRIMARY KEY (id),
    UNIQUE KEY change_requests_workspace (workspace_id, id),
    KEY change_requests_state (workspace_id, state, id),
    KEY change_requests_environment (workspace_id, environment_id, id),
    KEY change_requests_open (environment_id, state, id),
    KEY change_requests_author (workspace_id, author, id),
    CONSTRAINT change_requests_environment_fk FOREIGN KEY (workspace_id, environment_id)
      REFERENCES environments (workspace_id, id) ON DELETE CASCADE`,
  // detail: the change as JSON, as the API shows it, without a variable's value. value: that value, sealed together with a salt. replaces:
  // sealed JSON of what is in force now. held_id: a foreign key, so that the decision cannot be deleted while the request is open.
  change_request_changes: `
    change_request_id BINARY(16) NOT NULL,
    position SMALLINT UNSIGNED NOT NULL,
    workspace_id BINARY(16) NOT NULL,
    detail MEDIUMTEXT NOT NULL,
    decision_id BINARY(16) NULL,
    held_id BINARY(16) NULL,
    value MEDIUMBLOB NULL,
    replaces MEDIUMBLOB NULL,
    deployment_id BINARY(16) NULL,
    PRIMARY KEY (change_request_id, position),
    KEY change_request_changes_decision (workspace_id, decision_id, change_request_id),
    KEY change_request_changes_held (workspace_id, held_id),
    CONSTRAINT change_request_changes_fk FOREIGN KEY (workspace_id, change_request_id)
      REFERENCES change_requests (workspace_id, id) ON DELETE CASCADE,
    CONSTRAINT change_request_changes_held_fk FOREIGN KEY (workspace_id, held_id)
      REFERENCES decisions (workspace_id, id)`,
  change_reviews: `
    id BINARY(16) NOT NULL,
    change_request_id BINARY(16) NOT NULL,
    workspace_id BINARY(16) NOT NULL,
    principal VARCHAR(255) NOT NULL,
    verdict ENUM('approve', 'reject', 'comment') NOT NULL,
    digest BINARY(32) NOT NULL,
    message VARCHAR(4000) NULL,
    created_at DATETIME(3) NOT NULL,
    PRIMARY KEY (id),
    KEY change_reviews_request (workspace_id, change_request_id, id),
    CONSTRAINT change_reviews_fk FOREIGN KEY (workspace_id, change_request_id)
      REFERENCES change_requests (workspace_id, id) ON DELETE CASCADE`,
  // wanted: the bound or the share that the protection requires. A check has a job (src/jobs) until it has its outcome, or its request ends.
  change_checks: `
    id BINARY(16) NOT NULL,
    change_request_id BINARY(16) NOT NULL,
    workspace_id BINARY(16) NOT NULL,
    name ENUM('tests', 'analysis', 'replay', 'coverage') NOT NULL,
    decision_id BINARY(16) NOT NULL,
    decision_key VARCHAR(512) NOT NULL,
    version INT UNSIGNED NOT NULL,
    wanted VARCHAR(64) NOT NULL,
    state ENUM('PENDING', 'PASSED', 'FAILED') NOT NULL,
    detail VARCHAR(4000) NULL,
    report MEDIUMTEXT NULL,
    replay_id BINARY(16) NULL,
    PRIMARY KEY (id),
    KEY change_checks_request (workspace_id, change_request_id, id),
    CONSTRAINT change_checks_fk FOREIGN KEY (workspace_id, change_request_id)
      REFERENCES change_requests (workspace_id, id) ON DELETE CASCADE`,
};
