import type { Knex } from 'knex';

/**
 * What an inquiry's reader may know of its notifications, and who is sending them now. claimed: somebody is sending it
 * until due_at, while without it due_at is when it is tried next. listed: a notification that its inquiry names, so that
 * its row stays. An index for deleting what nobody names and nobody has to send.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`ALTER TABLE outbox
    MODIFY state ENUM('pending', 'delivered', 'dead', 'logged', 'replaced') NOT NULL,
    ADD claimed BOOLEAN NOT NULL DEFAULT FALSE AFTER fence,
    ADD listed BOOLEAN NOT NULL DEFAULT FALSE AFTER claimed,
    ADD KEY outbox_ended (listed, state, id)`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw("UPDATE outbox SET state = 'delivered' WHERE state IN ('logged', 'replaced')");
  await knex.raw(`ALTER TABLE outbox
    DROP KEY outbox_ended,
    DROP listed,
    DROP claimed,
    MODIFY state ENUM('pending', 'delivered', 'dead') NOT NULL`);
}
