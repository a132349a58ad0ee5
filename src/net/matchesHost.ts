import { plainName } from './judgeHostName.ts';

/** True where a list names the host: `docs.python.org` exactly, `*.example.com` for all below. Ports don't matter. Pure. */
export function matchesHost(patterns: readonly string[], hostname: string): boolean {
  const name = plainName(hostname);
  return patterns.some((each) => {
    const pattern = plainName(each.trim());
    return pattern.startsWith('*.') ? name.endsWith(pattern.slice(1)) : name === pattern;
  });
}
