import cluster from 'node:cluster';

// Preloaded into servers that tests start. A test runner that is killed can't stop them: they see its channel close.
// Processes of a primary end with it by themselves.
if (cluster.isPrimary) {
  process.on('disconnect', () => process.exit(1));
  // A listener keeps the channel, and with it the process, alive; when to end is the server's own business.
  process.channel?.unref();
}
