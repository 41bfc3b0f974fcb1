import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ip = (line: string): Promise<unknown> => run('ip', line.split(' '));

/** Where this program, HAProxy and the servers are; each node has a machine's network of its own beside it. */
const homeAddress = '10.77.0.254';

/**
 * A network of this process alone, which must live in namespaces of its own (`unshare`): then all of it vanishes with the
 * process, and nobody else on the machine sees it.
 */
export async function openNetwork(): Promise<void> {
  mkdirSync('/run/netns', { recursive: true });
  await run('mount', ['-t', 'tmpfs', 'tmpfs', '/run/netns']);
  await ip('link set lo up');
  await ip('link add switch type bridge');
  await ip(`addr add ${homeAddress}/24 dev switch`);
  await ip('link set switch up');
}

/** A place on the network, with a cable that can be pulled. */
export async function addPlace(name: string, address: string): Promise<void> {
  await ip(`netns add ${name}`);
  await ip(`link add cable-${name} type veth peer name eth0 netns ${name}`);
  await ip(`link set cable-${name} master switch up`);
  await ip(`-n ${name} addr add ${address}/24 dev eth0`);
  await ip(`-n ${name} link set eth0 up`);
  await ip(`-n ${name} link set lo up`);
}

/** The words before a command that make it run at that place. */
export const at = (name: string): readonly string[] => ['nsenter', `--net=/run/netns/${name}`];

/** From now on packets from and to that place vanish; nobody is told. */
export const pullCable = (name: string): Promise<unknown> => ip(`link set cable-${name} down`);

export const plugCable = (name: string): Promise<unknown> => ip(`link set cable-${name} up`);
