// Preloaded into servers that tests start. A test runner that is killed can't stop them: they see its channel close.
// By a signal, and before node:cluster exits in order: that would write the rest of the log to a pipe that nobody reads
// any more, for ever (sonic-boom 4, flushSync).
process.prependListener('disconnect', () => process.kill(process.pid, 'SIGKILL'));
// A listener keeps the channel, and with it the process, alive; when to end is the server's own business.
process.channel?.unref();
