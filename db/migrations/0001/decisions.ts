/** What is decided: models stored once for each content hash, decisions that point at them, and immutable versions. */
export const decisions = {
  // sub_decisions: JSON list of the names that the content's decision nodes use, so that it need not be parsed for them. bytes:
  // of the body; a generated column would be no help, as MariaDB reads the whole body to give it. namespace: of a DMN document,
  // by which others import it.
  contents: `
    hash BINARY(32) NOT NULL,
    body MEDIUMTEXT NOT NULL,
    bytes INT UNSIGNED NOT NULL,
    sub_decisions MEDIUMTEXT NOT NULL,
    namespace VARCHAR(512) NULL,
    created_at DATETIME(3) NOT NULL,
    PRIMARY KEY (hash),
    KEY contents_namespace (namespace)`,
  // Each content that a workspace has stored, once, whatever names it; workspaces.model_bytes is their sum.
  workspace_contents: `
    workspace_id BINARY(16) NOT NULL,
    content_hash BINARY(32) NOT NULL,
    bytes INT UNSIGNED NOT NULL,
    PRIMARY KEY (workspace_id, content_hash),
    CONSTRAINT workspace_contents_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE`,
  // content_hash is the working copy (version 0). faults, warnings: how many of either it has; with faults, which only --force
  // stores, it can't be saved as a version. revision: the ETag.
  decisions: `
    id BINARY(16) NOT NULL,
    workspace_id BINARY(16) NOT NULL,
    decision_key VARCHAR(512) NOT NULL,
    content_hash BINARY(32) NOT NULL,
    faults INT UNSIGNED NOT NULL DEFAULT 0,
    warnings INT UNSIGNED NOT NULL DEFAULT 0,
    latest_version INT UNSIGNED NOT NULL DEFAULT 0,
    revision INT UNSIGNED NOT NULL DEFAULT 1,
    created_at DATETIME(3) NOT NULL,
    updated_at DATETIME(3) NOT NULL,
    PRIMARY KEY (id),
    UNIQUE KEY decisions_workspace (workspace_id, id),
    UNIQUE KEY decisions_key (workspace_id, decision_key),
    KEY decisions_content (content_hash),
    CONSTRAINT decisions_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspaces (id),
    CONSTRAINT decisions_content_fk FOREIGN KEY (content_hash) REFERENCES contents (hash)`,
  // manifest: JSON of every content that the version can reach and how they name one another; program_id is its SHA-256.
  versions: `
    decision_id BINARY(16) NOT NULL,
    version INT UNSIGNED NOT NULL,
    workspace_id BINARY(16) NOT NULL,
    program_id BINARY(32) NOT NULL,
    content_hash BINARY(32) NOT NULL,
    manifest MEDIUMTEXT NOT NULL,
    message VARCHAR(4000) NULL,
    saved_by VARCHAR(255) NOT NULL,
    created_at DATETIME(3) NOT NULL,
    PRIMARY KEY (decision_id, version),
    KEY versions_workspace (workspace_id, decision_id),
    KEY versions_content (content_hash),
    CONSTRAINT versions_decision_fk FOREIGN KEY (workspace_id, decision_id) REFERENCES decisions (workspace_id, id),
    CONSTRAINT versions_content_fk FOREIGN KEY (content_hash) REFERENCES contents (hash)`,
  // Which decisions a version pins, and by which keys they went: the manifest has contents alone. A decision that a version
  // pins can't be removed (1451). position: breadth-first from 1, as in the manifest.
  version_dependencies: `
    decision_id BINARY(16) NOT NULL,
    version INT UNSIGNED NOT NULL,
    position INT UNSIGNED NOT NULL,
    workspace_id BINARY(16) NOT NULL,
    dependency_id BINARY(16) NOT NULL,
    dependency_key VARCHAR(512) NOT NULL,
    content_hash BINARY(32) NOT NULL,
    PRIMARY KEY (decision_id, version, position),
    KEY version_dependencies_dependency (workspace_id, dependency_id),
    KEY version_dependencies_content (content_hash),
    CONSTRAINT version_dependencies_version_fk FOREIGN KEY (decision_id, version)
      REFERENCES versions (decision_id, version) ON DELETE CASCADE,
    CONSTRAINT version_dependencies_decision_fk FOREIGN KEY (workspace_id, dependency_id)
      REFERENCES decisions (workspace_id, id),
    CONSTRAINT version_dependencies_content_fk FOREIGN KEY (content_hash) REFERENCES contents (hash)`,
  // Working copies as they were executed; versions keep their own manifests. used_at: renewed while it is in use, so that no
  // record that names the program is much younger.
  kept_programs: `
    workspace_id BINARY(16) NOT NULL,
    program_id BINARY(32) NOT NULL,
    manifest MEDIUMTEXT NOT NULL,
    used_at DATETIME(3) NOT NULL,
    PRIMARY KEY (workspace_id, program_id),
    KEY kept_programs_age (workspace_id, used_at),
    CONSTRAINT kept_programs_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspaces (id)`,
  // A content is kept by what names it, by foreign keys; this is how a working copy that was executed names its contents.
  kept_program_contents: `
    workspace_id BINARY(16) NOT NULL,
    program_id BINARY(32) NOT NULL,
    content_hash BINARY(32) NOT NULL,
    PRIMARY KEY (workspace_id, program_id, content_hash),
    KEY kept_program_contents_content (content_hash),
    CONSTRAINT kept_program_contents_program_fk FOREIGN KEY (workspace_id, program_id)
      REFERENCES kept_programs (workspace_id, program_id) ON DELETE CASCADE,
    CONSTRAINT kept_program_contents_content_fk FOREIGN KEY (content_hash) REFERENCES contents (hash)`,
};
