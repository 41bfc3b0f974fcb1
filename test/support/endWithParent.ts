// Preloaded into servers that tests start. A test runner that is killed can't stop them: they see its channel close.
process.on('disconnect', () => process.exit(1));
// A listener keeps the channel, and with it the process, alive; ending is the server's own to decide.
process.channel?.unref();
