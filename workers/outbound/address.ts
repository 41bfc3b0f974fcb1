import { BlockList, isIP } from 'node:net';

/**
 * IPv4 blocks that no outbound call may reach: everything of IANA's special-purpose registry (RFC 6890 and its
 * updates) that is not plain global unicast, and the addresses of cloud metadata services outside of it.
 */
const reservedV4: readonly (readonly [network: string, prefix: number, why: string])[] = [
  ['0.0.0.0', 8, 'this network; Linux connects 0.0.0.0 to itself'],
  ['10.0.0.0', 8, 'private'],
  ['100.64.0.0', 10, 'carrier-grade NAT, and the metadata service of Alibaba Cloud'],
  ['127.0.0.0', 8, 'loopback'],
  ['168.63.129.16', 32, 'the platform service of Azure'],
  ['169.254.0.0', 16, 'link-local, and the metadata services of most clouds'],
  ['172.16.0.0', 12, 'private'],
  ['192.0.0.0', 24, 'protocol assignments, and the metadata service of Oracle Cloud'],
  ['192.0.2.0', 24, 'documentation'],
  ['192.31.196.0', 24, 'AS112'],
  ['192.52.193.0', 24, 'AMT'],
  ['192.88.99.0', 24, '6to4 relays'],
  ['192.168.0.0', 16, 'private'],
  ['192.175.48.0', 24, 'AS112'],
  ['198.18.0.0', 15, 'benchmarks'],
  ['198.51.100.0', 24, 'documentation'],
  ['203.0.113.0', 24, 'documentation'],
  ['224.0.0.0', 4, 'multicast'],
  ['240.0.0.0', 4, 'future use, and broadcast'],
];

/**
 * IPv6 is the other way round: only global unicast is let through. That leaves out by itself the unspecified address,
 * loopback, v4-mapped and v4-compatible, NAT64, discard-only, SRv6, unique local, link-local, site-local, multicast.
 */
const globalUnicastV6 = ['2000::', 3] as const;

/** Blocks within global unicast that are not, or that carry an IPv4 address of the caller's choice. */
const reservedV6: readonly (readonly [network: string, prefix: number, why: string])[] = [
  ['2001::', 23, 'protocol assignments: Teredo, benchmarks, ORCHID, AMT'],
  ['2001:db8::', 32, 'documentation'],
  ['2002::', 16, '6to4: holds an IPv4 address'],
  ['2620:4f:8000::', 48, 'AS112'],
  ['3fff::', 20, 'documentation'],
];

const refused = new BlockList();
for (const [network, prefix] of reservedV4) refused.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of reservedV6) refused.addSubnet(network, prefix, 'ipv6');
const allowedV6 = new BlockList();
allowedV6.addSubnet(globalUnicastV6[0], globalUnicastV6[1], 'ipv6');

/**
 * Whether an IP address in text form lies on the public internet.
 * False for anything else: reserved blocks, IPv6 forms that hide an IPv4 address, zone ids, and text that is no address.
 */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !refused.check(address, 'ipv4');
    case 6:
      return !address.includes('%') && allowedV6.check(address, 'ipv6') && !refused.check(address, 'ipv6');
    default:
      return false;
  }
}
