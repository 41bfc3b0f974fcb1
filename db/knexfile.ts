import { readdirSync } from 'node:fs';
import type { Knex } from 'knex';

const folder = new URL('./migrations/', import.meta.url);

/**
 * The migrations in `db/migrations/`, in the order of their names. A source of our own, because Knex's tells ES modules
 * by the `package.json` of the current directory, which may be anything.
 */
const migrationSource: Knex.MigrationSource<string> = {
  getMigrations: () => Promise.resolve(migrationNames()),
  getMigrationName: (name) => name,
  getMigration: (name) => import(new URL(`${name}.js`, folder).href) as Promise<Knex.Migration>,
};

/** What `knex.migrate` needs to know. */
export const migrationConfig: Knex.MigratorConfig = { migrationSource };

function migrationNames(): string[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.js'))
    .map((file) => file.slice(0, -'.js'.length))
    .sort();
}
