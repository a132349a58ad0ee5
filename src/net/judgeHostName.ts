// Threat: names that mean something only inside a machine or a network lead there, whatever a public name server says of them.

/**
 * Top-level names that are never public hosts: RFC 6761, 6762 (appendix G), 7686, 8375, 9476, what ICANN holds back, and those of
 * clusters and service directories.
 */
const privateTops = new Set(
  'localhost local localdomain internal intranet private lan home corp mail domain workgroup arpa test invalid onion alt svc default consul docker intra'.split(
    ' ',
  ),
);

/** Public names of metadata services, with everything below; the private ones end in names above. */
const metadataNames = [
  'metadata.goog',
  'metadata.tencentyun.com',
  'metadata.platformequinix.com',
  'metadata.packet.net',
  'metadata.cloud.ibm.com',
];

const label = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/u;

/** Why a host name may not be asked for; undefined where it may. The name is in the form of `URL.hostname`. Pure. */
export function judgeHostName(hostname: string): string | undefined {
  const name = plainName(hostname);
  const labels = name.split('.');
  if (name.length > 253 || !labels.every((each) => label.test(each))) return 'it is no valid host name';
  if (labels.length === 1) return 'a name without a dot is a name of your own network';
  if (privateTops.has(labels.at(-1) ?? '')) return `.${labels.at(-1) ?? ''} is not on the public Internet`;
  if (metadataNames.some((each) => name === each || name.endsWith(`.${each}`)))
    return 'it is a metadata service';
  return undefined;
}

/** Without the dot at the end, which means the same host. */
export function plainName(hostname: string): string {
  return hostname.replace(/\.$/u, '').toLowerCase();
}
