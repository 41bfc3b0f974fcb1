import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as Factories from '../support/factories.js';
import type { ServerProcess } from '../support/process.js';
import type * as Scenes from '../support/scene.js';
import { scratchDatabase } from '../support/scratch.js';
import { projectRoot } from '../../db/root.js';
import type { Bed } from './bed.js';

/** The folder of `BASE`, which holds another version, built; undefined where nothing is compared with one. */
export const base = process.env.BASE ? resolve(process.env.BASE) : undefined;

/** A version on a database of its own, written by its own code, because it may not know the tables of another. */
export interface Version {
  readonly store: Factories.Store;
  /** Starts a server of this version. */
  readonly server: (settings?: Readonly<Record<string, string>>) => Promise<ServerProcess>;
  /** A workspace in its database. */
  readonly scene: (server: ServerProcess) => Promise<Scenes.Scene>;
}

/** @param folder with a built version. Throws where its database cannot be migrated. */
export async function openVersion(bed: Bed, folder = projectRoot): Promise<Version> {
  const dist = join(folder, 'dist');
  const { url } = await scratchDatabase(bed.services.databaseUrl);
  const env = { ...process.env, DATABASE_URL: url };
  const { status, stderr } = spawnSync(process.execPath, [join(dist, 'db/migrate-main.js')], { env });
  if (status !== 0) throw new Error(`${folder} cannot migrate: ${stderr.toString()}`);
  const support = async (name: string): Promise<unknown> =>
    import(pathToFileURL(join(dist, 'test/support', name)).href);
  const { openStore } = (await support('factories.js')) as typeof Factories;
  const { buildScene } = (await support('scene.js')) as typeof Scenes;
  const store = openStore({ DATABASE_URL: url });
  bed.ends(() => store.close());
  return {
    store,
    server: (settings) => bed.server({ ...settings, DATABASE_URL: url }, [], dist),
    scene: (server) => buildScene(server, { store }),
  };
}
