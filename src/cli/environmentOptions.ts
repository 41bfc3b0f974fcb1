import type { Command } from 'commander';
import { requiredId } from './arguments.js';

/** The options that say which environment is meant. */
export interface EnvironmentOptions {
  readonly workspace: string;
  readonly environment: string;
}

/** Adds them to a command. */
export const withEnvironmentOptions = (command: Command): Command =>
  command
    .addOption(requiredId('workspace', 'the workspace of the environment'))
    .addOption(requiredId('environment', 'the environment'));

/** The environment's ids, as the stores take them. */
export const environmentOf = ({
  workspace,
  environment,
}: EnvironmentOptions): { workspaceId: string; environmentId: string } => ({
  workspaceId: workspace,
  environmentId: environment,
});
