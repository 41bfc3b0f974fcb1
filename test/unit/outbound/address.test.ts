import { expect } from 'chai';
import { isPublicAddress } from '../../../workers/outbound/address.js';

/** First and last address of each block that must not be reached, and the neighbours on either side that may be. */
const v4: readonly (readonly [
  block: string,
  first: string,
  last: string,
  before: string | null,
  after: string | null,
])[] = [
  ['0.0.0.0/8', '0.0.0.0', '0.255.255.255', null, '1.0.0.0'],
  ['10.0.0.0/8', '10.0.0.0', '10.255.255.255', '9.255.255.255', '11.0.0.0'],
  ['100.64.0.0/10', '100.64.0.0', '100.127.255.255', '100.63.255.255', '100.128.0.0'],
  ['127.0.0.0/8', '127.0.0.0', '127.255.255.255', '126.255.255.255', '128.0.0.0'],
  ['168.63.129.16/32', '168.63.129.16', '168.63.129.16', '168.63.129.15', '168.63.129.17'],
  ['169.254.0.0/16', '169.254.0.0', '169.254.255.255', '169.253.255.255', '169.255.0.0'],
  ['172.16.0.0/12', '172.16.0.0', '172.31.255.255', '172.15.255.255', '172.32.0.0'],
  ['192.0.0.0/24', '192.0.0.0', '192.0.0.255', '191.255.255.255', '192.0.1.0'],
  ['192.0.2.0/24', '192.0.2.0', '192.0.2.255', '192.0.1.255', '192.0.3.0'],
  ['192.31.196.0/24', '192.31.196.0', '192.31.196.255', '192.31.195.255', '192.31.197.0'],
  ['192.52.193.0/24', '192.52.193.0', '192.52.193.255', '192.52.192.255', '192.52.194.0'],
  ['192.88.99.0/24', '192.88.99.0', '192.88.99.255', '192.88.98.255', '192.88.100.0'],
  ['192.168.0.0/16', '192.168.0.0', '192.168.255.255', '192.167.255.255', '192.169.0.0'],
  ['192.175.48.0/24', '192.175.48.0', '192.175.48.255', '192.175.47.255', '192.175.49.0'],
  ['198.18.0.0/15', '198.18.0.0', '198.19.255.255', '198.17.255.255', '198.20.0.0'],
  ['198.51.100.0/24', '198.51.100.0', '198.51.100.255', '198.51.99.255', '198.51.101.0'],
  ['203.0.113.0/24', '203.0.113.0', '203.0.113.255', '203.0.112.255', '203.0.114.0'],
  ['224.0.0.0/4', '224.0.0.0', '239.255.255.255', '223.255.255.255', null],
  ['240.0.0.0/4', '240.0.0.0', '255.255.255.255', null, null],
];

const v6: readonly (readonly [why: string, ...addresses: string[]])[] = [
  ['unspecified', '::', '0:0:0:0:0:0:0:0'],
  ['loopback', '::1', '0:0:0:0:0:0:0:1'],
  ['v4-compatible', '::127.0.0.1', '::8.8.8.8'],
  [
    'v4-mapped, private or not',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:10.0.0.1',
    '::ffff:8.8.8.8',
    '::FFFF:169.254.169.254',
  ],
  ['v4-translated', '::ffff:0:127.0.0.1'],
  ['NAT64', '64:ff9b::7f00:1', '64:ff9b::8.8.8.8', '64:ff9b:1::1'],
  ['discard-only', '100::1'],
  [
    'Teredo and other protocol assignments',
    ...['2001::1', '2001:0:7f00:1::', '2001:2::1', '2001:10::1'],
    ...['2001:20::1', '2001:1ff:ffff::'],
  ],
  ['documentation', '2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff', '3fff::', '3fff:fff:ffff::1'],
  ['6to4', '2002::', '2002:7f00:1::', '2002:a9fe:a9fe::1', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['AS112', '2620:4f:8000::1'],
  ['SRv6 and the rest above global unicast', '4000::', '5f00::1', '9000::1'],
  ['unique local, and the metadata service of AWS', 'fc00::', 'fd00:ec2::254', 'fdff:ffff::1'],
  ['link-local', 'fe80::1', 'fe80::1%eth0', 'febf:ffff::1'],
  ['site-local', 'fec0::1'],
  ['multicast', 'ff00::', 'ff02::1', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
];

const publicV6 = [
  ...['2000::', '2001:200::1', '2001:4860:4860::8888', '2001:db7::1', '2001:db9::1', '2003::1', '2606:4700::1111'],
  ...['2620:4f:8001::1', '2a00:1450::1', '3ffe::1', '3fff:1000::1'],
];

const noAddress = [
  ...['', 'localhost', 'example.com', '127.1', '2130706433', '0x7f000001', '0177.0.0.1', '1.2.3', '1.2.3.4.5'],
  ...['256.1.1.1', ' 8.8.8.8', '8.8.8.8 ', '[::1]', '8.8.8.8:80', '2001:4860::8888%eth0'],
];

describe('public addresses', () => {
  for (const [block, first, last, before, after] of v4) {
    it(`are not ${block}, and are again right beside it`, () => {
      expect([first, last].filter(isPublicAddress)).to.deep.equal([]);
      expect([before, after].filter((address) => address !== null && !isPublicAddress(address))).to.deep.equal([]);
    });
  }

  for (const [why, ...addresses] of v6) {
    it(`are not IPv6: ${why}`, () => {
      expect(addresses.filter(isPublicAddress)).to.deep.equal([]);
    });
  }

  it('are not the metadata services of clouds', () => {
    const metadata = [
      '169.254.169.254',
      '169.254.170.2',
      '100.100.100.200',
      '192.0.0.192',
      '168.63.129.16',
      'fd00:ec2::254',
    ];
    expect(metadata.filter(isPublicAddress)).to.deep.equal([]);
  });

  it('are ordinary hosts', () => {
    const ordinary = [
      '1.1.1.1',
      '8.8.8.8',
      '93.184.216.34',
      '172.15.0.1',
      '100.63.0.1',
      '223.255.255.255',
      ...publicV6,
    ];
    expect(ordinary.filter((address) => !isPublicAddress(address))).to.deep.equal([]);
  });

  it('are addresses in their plain form, nothing that merely may become one', () => {
    expect(noAddress.filter(isPublicAddress)).to.deep.equal([]);
  });
});
