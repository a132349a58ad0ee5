import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judgeAddress } from './judgeAddress.ts';
import { judgeUrl } from './judgeUrl.ts';

function kindOf(url: string, base?: URL): string {
  return judgeUrl(url, base).kind;
}

/** IPv4 addresses of which nobody should fetch anything. */
const closedIPv4 = fc.oneof(
  octets([10]),
  octets([127]),
  octets([0]),
  octets([192, 168]),
  octets([169, 254]),
  fc.integer({ min: 16, max: 31 }).chain((second) => octets([172, second])),
  fc.integer({ min: 64, max: 127 }).chain((second) => octets([100, second])),
  fc.integer({ min: 224, max: 255 }).chain((first) => octets([first])),
  octets([198, 18]),
  octets([192, 0, 2]),
  fc.constant([168, 63, 129, 16]),
);

function octets(start: readonly number[]): fc.Arbitrary<number[]> {
  const rest = fc.integer({ min: 0, max: 255 });
  return fc
    .array(rest, { minLength: 4 - start.length, maxLength: 4 - start.length })
    .map((more) => [...start, ...more]);
}

const part = fc.constantFrom(
  (value: number) => String(value),
  (value: number) => `0x${value.toString(16)}`,
  (value: number) => `0X${value.toString(16).toUpperCase()}`,
  (value: number) => `0${value.toString(8)}`,
  (value: number) => `000${value.toString(8)}`,
);

/** Every way in which the old resolvers write four octets: the last part may stand for several, in three number systems. */
const spelledIPv4 = fc
  .tuple(closedIPv4, fc.integer({ min: 1, max: 4 }), fc.array(part, { minLength: 4, maxLength: 4 }))
  .map(([address, parts, writers]) => {
    const last = address.slice(parts - 1).reduce((sum, each) => sum * 256 + each, 0);
    return [...address.slice(0, parts - 1), last].map((value, at) => writers[at]!(value)).join('.');
  });

const disguises = fc.constantFrom(
  (host: string) => host,
  (host: string) => `${host}.`,
  (host: string) => host.replaceAll('.', '\u3002'),
  (host: string) => host.replaceAll('.', '\uFF0E'),
  (host: string) => host.replace(/\d/gu, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
  (host: string) => host.replace(/\d/gu, (digit) => `%3${digit}`),
  (host: string) => `user@${host}`,
  (host: string) => `${host}:8080`,
  (host: string) => `example.com@${host}`,
  (host: string) => `\t${host}`,
  (host: string) => host.split('').join('\u00AD'),
);

/** Every IPv6 address that leads to an IPv4 one. */
const wrappings = fc.constantFrom(
  (v4: string) => `::ffff:${v4}`,
  (v4: string) => `::${v4}`,
  (v4: string) => `::ffff:0:${v4}`,
  (v4: string) => `64:ff9b::${v4}`,
  (v4: string) => `64:ff9b:1::${v4}`,
  (v4: string) => `2600:1f18::5efe:${v4}`,
  (v4: string) => `2600:1f18::200:5efe:${v4}`,
  (v4: string) => `2002:${pairs(v4)}::1`,
  (v4: string) => `2001:0:${pairs(v4)}::`,
  (v4: string) => `2001:0:808:808:0:0:${pairs(v4, 255)}`,
);

function pairs(v4: string, mask = 0): string {
  const [a = 0, b = 0, c = 0, d = 0] = v4.split('.').map((each) => Number(each) ^ mask);
  return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
}

describe('no spelling of a closed address passes', () => {
  it('whatever number system, length and disguise an IPv4 address has', () => {
    fc.assert(
      fc.property(spelledIPv4, disguises, (host, disguise) => {
        expect(kindOf(`http://${disguise(host)}/`)).toBe('block');
      }),
      { numRuns: 2_000 },
    );
  });

  it('whatever IPv6 address it is wrapped into, in text and as an answer', () => {
    fc.assert(
      fc.property(closedIPv4, wrappings, fc.boolean(), (address, wrap, isUpper) => {
        const text = wrap(address.join('.'));
        expect(kindOf(`https://[${isUpper ? text.toUpperCase() : text}]/`)).toBe('block');
        expect(judgeAddress(text).kind).not.toBe('public');
      }),
      { numRuns: 2_000 },
    );
  });

  it('of IPv6 outside 2000::/3, and of the reserved parts in it', () => {
    const word = fc.integer({ min: 0, max: 0xffff });
    const first = fc.oneof(
      word.filter((each) => each < 0x2000 || each > 0x3fff),
      fc.constant(0x2002),
    );
    fc.assert(
      fc.property(first, fc.array(word, { minLength: 7, maxLength: 7 }), (start, rest) => {
        const text = [start, ...rest].map((each) => each.toString(16)).join(':');
        fc.pre(!text.startsWith('64:ff9b:0:0:0:0:'));
        expect(kindOf(`https://[${text}]/`)).toBe('block');
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('judgeAddress', () => {
  it.each([
    ['8.8.8.8', 'public'],
    ['93.184.216.34', 'public'],
    ['2606:4700::1111', 'public'],
    ['64:ff9b::808:808', 'public'],
    ['::ffff:8.8.8.8', 'public'],
    ['127.0.0.1', 'local'],
    ['::1', 'local'],
    ['10.1.2.3', 'local'],
    ['fd00::1', 'local'],
    ['100.64.0.1', 'local'],
    ['::ffff:10.0.0.1', 'local'],
    ['169.254.169.254', 'special'],
    ['fe80::1', 'special'],
    ['fd00:ec2::254', 'special'],
    ['100.100.100.200', 'special'],
    ['::ffff:168.63.129.16', 'special'],
    ['64:ff9b::a00:1', 'special'],
    ['2600::5efe:7f00:1', 'special'],
    ['3ffe::1', 'special'],
    ['2a00:1450:4001::8', 'public'],
    ['fe80::1%eth0', 'special'],
    ['2606:4700::1111%1', 'special'],
    ['127.1', 'special'],
    ['0x7f.0.0.1', 'special'],
    ['example.com', 'special'],
    ['', 'special'],
  ])('%s is %s', (address, kind) => {
    expect(judgeAddress(address).kind).toBe(kind);
  });
});

describe('judgeUrl', () => {
  it.each([
    'https://example.com',
    'HTTPS://EXAMPLE.COM/a?b=c#d',
    'https://bücher.example/',
    'https://example.com./',
    'https://example.com:8443/',
    'http://example.com:3000/',
    'https://example.com/a@b?c=user@host',
    'https://[2606:4700::1111]/',
    'https://my_host.example.com/',
  ])('lets %s pass', (url) => {
    expect(kindOf(url)).toBe('ok');
  });

  it.each([
    ['', 'http or https'],
    ['example.com', 'http or https'],
    ['//example.com/', 'http or https'],
    ['ftp://example.com/', 'http or https'],
    ['https:example.com', 'http or https'],
    ['https:///example.com', 'names no host'],
    ['https://@example.com/', 'user name'],
    ['https://ex%61mple.com/', 'percent-encoded'],
    ['https://8.8.8.8./', 'another way to write'],
    ['https://010.8.8.8/', 'another way to write'],
    ['https://134744072/', 'another way to write'],
    ['https://example.com/a b', 'spaces'],
    ['https://example.com/\u2028', 'spaces'],
    ['https://a..example.com/', 'valid host name'],
    ['https://-a.example.com/', 'valid host name'],
    ['https://metadata.goog/', 'metadata'],
    ['https://x.metadata.goog/', 'metadata'],
    ['https://localhost./', 'without a dot'],
    ['https://kubernetes.default.svc/', '.svc is not on the public Internet'],
    ['https://db.service.consul/', '.consul is not on the public Internet'],
    ['https://printer.LOCAL/', '.local'],
    ['https://example.com:0/', 'port 0'],
    ['https://example.com:6379/', 'port 6379'],
    ['https://example.com:99999/', 'valid URL'],
    [`https://example.com/${'a'.repeat(8_000)}`, 'longer'],
  ])('refuses %j, for it says %j', (url, reason) => {
    expect(judgeUrl(url)).toMatchObject({ kind: 'block', reason: expect.stringContaining(reason) as string });
  });

  it('reads a relative one against the base, and judges it all the same', () => {
    const base = new URL('https://example.com/a/b');
    expect(judgeUrl('../c', base)).toMatchObject({ url: new URL('https://example.com/c') });
    expect(judgeUrl('//example.org/c', base)).toMatchObject({ url: new URL('https://example.org/c') });
    expect(kindOf('//127.0.0.1/', base)).toBe('block');
    expect(kindOf('///127.0.0.1/', base)).toBe('block');
    expect(kindOf('/\\127.0.0.1/', base)).toBe('block');
    expect(kindOf('javascript:alert(1)', base)).toBe('block');
    expect(kindOf('https:/c', base)).toBe('block');
  });
});
