import { lookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { AppError } from '#shared/api/problem.ts';

/** Addresses that are not on the public internet: https://www.iana.org/assignments/iana-ipv4-special-registry. */
const ipv4Blocks: readonly [string, number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];
/** Also those that carry an IPv4 address inside: mapped, translated, 6to4, Teredo. */
const ipv6Blocks: readonly [string, number][] = [
  ['::', 96],
  ['::ffff:0:0', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
  ['5f00::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
];

/** One list per family: a list with both takes every IPv4 address for one that is mapped into IPv6. */
const blockedIpv4 = new BlockList();
const blockedIpv6 = new BlockList();
for (const [address, prefix] of ipv4Blocks) blockedIpv4.addSubnet(address, prefix, 'ipv4');
for (const [address, prefix] of ipv6Blocks) blockedIpv6.addSubnet(address, prefix, 'ipv6');

/** Whether an IP address is on the public internet. */
export function isPublicAddress(address: string): boolean {
  const plain = address.replace(/%.*$/, '');
  const family = isIP(plain);
  if (family === 4) return !blockedIpv4.check(plain, 'ipv4');
  return family === 6 && !blockedIpv6.check(plain, 'ipv6');
}

export type IsAllowed = (address: string) => boolean;

const refused = (host: string): AppError =>
  new AppError({
    code: 'FORBIDDEN',
    message: `${host} is not on the public internet, so Curio does not fetch from it.`,
    hint: 'Give a public http or https address, upload the file, or name its path on the server.',
  });

/** Throws FORBIDDEN for a host that is itself an address that is not allowed; names are checked when they are resolved. */
export function assertAllowedHost(host: string, isAllowed: IsAllowed): void {
  const plain = host.replace(/^\[|\]$/g, '');
  if (isIP(plain) !== 0 && !isAllowed(plain)) throw refused(host);
}

/**
 * A lookup for sockets that gives allowed addresses only. The socket connects to what was checked, so a name that
 * resolves differently the next time gains nothing.
 */
export function createGuardedLookup(isAllowed: IsAllowed): LookupFunction {
  return (host, options, callback) => {
    lookup(host, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '', 0);
      const allowed = addresses.filter(({ address }) => isAllowed(address));
      const first = allowed[0];
      if (!first || allowed.length < addresses.length) return callback(refused(host) as never, '', 0);
      if (options.all) (callback as unknown as (error: null, all: typeof allowed) => void)(null, allowed);
      else callback(null, first.address, first.family);
    });
  };
}
