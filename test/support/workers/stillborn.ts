/** A worker that dies before it is ready. */
throw new Error('this file cannot be loaded');
