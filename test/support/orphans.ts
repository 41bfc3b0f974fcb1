import { serverProcesses } from '../bench/processes.js';
import { startServer } from './process.js';

// Run in a process of its own, to be killed: starts servers as tests do, says their pids, and stays.
const alone = await startServer();
const several = await startServer({ HTTP_PROCESSES: '2' });
const pids = [alone, several].flatMap(({ pid }) => serverProcesses(pid)).map(({ pid }) => pid);
process.stdout.write(`${JSON.stringify(pids)}\n`);
