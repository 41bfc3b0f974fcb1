import { startServices } from '../../db/services/start.js';

// A process of its own that holds services until it is killed: `node holder.js DIR run|throw-away`.
const [dir = '', mode] = process.argv.slice(2);
const services = await startServices({ dir, throwAway: mode === 'throw-away', say: () => undefined });
process.stdout.write(`${JSON.stringify({ databaseUrl: services.databaseUrl, pids: services.pids })}\n`);
setInterval(() => undefined, 60_000);
