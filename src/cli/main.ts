#!/usr/bin/env node
import { runCli } from './runCli.js';

// As on the server: tests of models see the same local time.
process.env['TZ'] = 'UTC';
process.exitCode = await runCli(process.argv.slice(2), {
  environment: process.env,
  directory: process.cwd(),
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
});
