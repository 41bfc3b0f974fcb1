import { migrate } from './migrate.js';
import { messageOf } from './services/errors.js';

// What `make migrate` and the containers execute before servers of a new version start.
const { DATABASE_URL: databaseUrl = '' } = process.env;
try {
  if (databaseUrl === '') throw new Error('DATABASE_URL must be set: the MySQL to bring up to date');
  const applied = await migrate(databaseUrl);
  process.stdout.write(applied.length === 0 ? 'The schema is up to date.\n' : `Applied ${applied.join(', ')}\n`);
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
}
