/** Work that all processes share: each job is one process's at a time, until its lease ends. */
export const jobs = {
  // id: of what the job works on, by its kind; what is gone ends its job. due_at: when any process may claim it, or when the lease
  // of the process that has it (claimed) ends. fence: grows with each claim; what a claim writes counts only with its own. attempts: claims
  // since the job came further. reason: why the last one did not. jobs_turn gives what is due of a tenant, and the tenants with
  // something due by one look for each. Without foreign keys: they would lock the rows that everything else is written with.
  jobs: `
    kind VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    id BINARY(16) NOT NULL,
    tenant_id BINARY(16) NOT NULL,
    workspace_id BINARY(16) NOT NULL,
    due_at DATETIME(3) NOT NULL,
    claimed BOOLEAN NOT NULL DEFAULT FALSE,
    fence INT UNSIGNED NOT NULL DEFAULT 0,
    attempts INT UNSIGNED NOT NULL DEFAULT 0,
    reason VARCHAR(1000) NULL,
    PRIMARY KEY (kind, id),
    KEY jobs_turn (kind, tenant_id, due_at)`,
};
