import { expect } from 'chai';
import { ServicesError } from '../../../db/services/errors.js';
import { provide, type Machine } from '../../../db/services/provide.js';
import type { MysqlBinaries } from '../../../db/services/mysql.js';

const mysql: MysqlBinaries = { flavour: 'mysql', server: '/opt/mysqld' };
const redis = { server: '/opt/redis-server' };

const bare: Machine = {
  findMysql: () => Promise.resolve(undefined),
  findRedis: () => undefined,
  canInstall: false,
  install: () => Promise.reject(new Error('must not be called')),
  dockerAnswers: () => Promise.resolve(false),
};

describe('where services come from', () => {
  const said: string[] = [];
  const say = (line: string): void => void said.push(line);
  beforeEach(() => said.splice(0));

  it('takes programs of the machine, and says nothing', async () => {
    const machine = { ...bare, findMysql: () => Promise.resolve(mysql), findRedis: () => redis, canInstall: true };
    expect(await provide(['mysql', 'redis'], machine, say)).to.include({ mysql, redis });
    expect(said).to.deep.equal([]);
  });

  it('installs only what is missing, and says so first', async () => {
    let installed: readonly string[] | undefined;
    const machine: Machine = {
      ...bare,
      findMysql: () => Promise.resolve(mysql),
      findRedis: () => (installed === undefined ? undefined : redis),
      canInstall: true,
      install(names) {
        expect(said.join()).to.contain('Redis').and.to.contain('apt-get');
        installed = names;
        return Promise.resolve();
      },
    };
    expect(await provide(['mysql', 'redis'], machine, say)).to.include({ redis });
    expect(installed).to.deep.equal(['redis']);
  });

  it('turns to Docker when the installation fails', async () => {
    const machine: Machine = {
      ...bare,
      canInstall: true,
      install: () => Promise.reject(new ServicesError('apt-get failed: no network')),
      dockerAnswers: () => Promise.resolve(true),
    };
    expect(await provide(['mysql', 'redis'], machine, say)).to.deep.equal({ mysql: 'docker', redis: 'docker' });
    expect(said.join('\n')).to.contain('no network').and.to.contain('Docker');
  });

  it('never turns to Docker for what was not asked for', async () => {
    const machine: Machine = { ...bare, dockerAnswers: () => Promise.resolve(true) };
    expect(await provide(['redis'], machine, say)).to.deep.equal({ mysql: undefined, redis: 'docker' });
  });

  it('says exactly what to install when there is nothing', async () => {
    const error: unknown = await provide(['mysql', 'redis'], bare, say).catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(ServicesError);
    expect(String(error))
      .to.contain('sudo apt-get install mariadb-server redis-server')
      .and.to.contain('DATABASE_URL=');
  });

  it('does without Redis', async () => {
    const machine: Machine = { ...bare, findMysql: () => Promise.resolve(mysql) };
    expect(await provide(['mysql', 'redis'], machine, say)).to.include({ mysql, redis: undefined });
  });
});
