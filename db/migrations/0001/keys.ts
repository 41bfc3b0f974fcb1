/** Keys that tokens are signed with and secrets are digested with, and who seals with which master key. */
export const keys = {
  // kid: RFC 7638 thumbprint. A key is published at once, signs from signs_at, and is published until expires_at.
  // generation: the newest one that may sign does; unique, so that of two processes that make a key at once one loses.
  signing_keys: `
    kid VARCHAR(64) NOT NULL,
    generation INT UNSIGNED NOT NULL,
    algorithm VARCHAR(16) NOT NULL,
    public_jwk TEXT NOT NULL,
    private_jwk BLOB NOT NULL,
    signs_at DATETIME(3) NOT NULL,
    expires_at DATETIME(3) NULL,
    created_at DATETIME(3) NOT NULL,
    PRIMARY KEY (kid),
    UNIQUE KEY signing_keys_generation (generation)`,
  // The keys of the digests of client secrets, sealed. id: of the master key that each was derived from at first.
  digest_keys: `
    id BINARY(4) NOT NULL,
    digest_key VARBINARY(255) NOT NULL,
    created_at DATETIME(3) NOT NULL,
    PRIMARY KEY (id)`,
  // Server processes, and the master key that each seals with for as long as it has its lease (src/jobs). id: random. opens: the
  // ids of all master keys that it opens, in hex with spaces between, so that a rotation can tell who could not read what it seals.
  sealers: `
    id BINARY(16) NOT NULL,
    key_id BINARY(4) NOT NULL,
    opens VARCHAR(4096) CHARACTER SET ascii NOT NULL,
    PRIMARY KEY (id)`,
};
