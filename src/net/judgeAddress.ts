// Threat: a page, a model or a name server leads a request to a machine that trusts its network: loopback, the home or
// company network, or a cloud's metadata service, which hands out keys. Such an address can be wrapped in a public looking
// IPv6 address, so each wrapping is opened, and only what is known to be the public Internet passes.
import ipaddr from 'ipaddr.js';

/** `local`: the user's own machine or networks. `special`: nothing that anybody should fetch from. */
export type AddressVerdict =
  { readonly kind: 'public' } | { readonly kind: 'local' | 'special'; readonly reason: string };

/** Beyond the ranges of ipaddr.js, which has no entry for what a cloud does with routable or shared addresses. */
const metadataAddresses = new Set(['168.63.129.16', '100.100.100.200', 'fd00:ec2::254']);

const localRanges = new Set(['loopback', 'private', 'carrierGradeNat', 'uniqueLocal']);

/** All of IPv6 that is handed out for the Internet lies in it. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');
/** Once for experiments (RFC 3701), since then nobody's. */
const returned = ipaddr.IPv6.parseCIDR('3ffe::/16');
const wellKnownNat64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

/** What kind of place an IP address is. Text that is no plain address, or one with a zone, is `special`. Pure. */
export function judgeAddress(text: string): AddressVerdict {
  if (!ipaddr.IPv4.isValidFourPartDecimal(text) && !ipaddr.IPv6.isValid(text))
    return special('it is no IP address');
  const address = ipaddr.parse(text);
  if (metadataAddresses.has(address.toString())) return special('it is a metadata service');
  return address.kind() === 'ipv4' ? judgeIPv4(address) : judgeIPv6(address as ipaddr.IPv6);
}

function judgeIPv4(address: ipaddr.IPv4 | ipaddr.IPv6): AddressVerdict {
  return judgeRange(address.range());
}

function judgeIPv6(address: ipaddr.IPv6): AddressVerdict {
  if (address.zoneId !== undefined) return special('it has a zone');
  if (address.isIPv4MappedAddress()) return judgeAddress(address.toIPv4Address().toString());
  if (address.match(wellKnownNat64)) return asPublicOnly(judgeAddress(lastFour(address)), 'NAT64');
  const verdict = judgeRange(address.range());
  if (verdict.kind !== 'public') return verdict;
  if (!address.match(globalUnicast) || address.match(returned))
    return special('it is outside the public IPv6 Internet');
  return isIsatap(address) ? asPublicOnly(judgeAddress(lastFour(address)), 'ISATAP') : verdict;
}

function judgeRange(range: string): AddressVerdict {
  if (range === 'unicast') return { kind: 'public' };
  return localRanges.has(range)
    ? { kind: 'local', reason: `it belongs to a private network (${range})` }
    : special(`it is reserved (${range})`);
}

/** A tunnel is no way to a local address, not even where local ones are allowed. */
function asPublicOnly(inner: AddressVerdict, name: string): AddressVerdict {
  return inner.kind === 'public'
    ? inner
    : special(`it is ${name} around an address of which ${inner.reason}`);
}

/** RFC 5214: the interface half is 0000:5efe or 0200:5efe, then an IPv4 address. */
function isIsatap({ parts }: ipaddr.IPv6): boolean {
  return (parts[4] === 0 || parts[4] === 0x200) && parts[5] === 0x5efe;
}

function lastFour(address: ipaddr.IPv6): string {
  return address.toByteArray().slice(12).join('.');
}

function special(reason: string): AddressVerdict {
  return { kind: 'special', reason };
}
