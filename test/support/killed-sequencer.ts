import { openStore } from './factories.js';
import { sequencerOn } from './evidence.js';

// Sequences a database until it is killed. For tests, which start it as a process of its own.
const store = openStore({ DATABASE_URL: process.argv[2] ?? '' });
sequencerOn(store).start();
process.send?.('started');
// Whoever started it may die first.
process.on('disconnect', () => process.exit());
