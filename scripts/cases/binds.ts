import { posix } from 'node:path';
import { z } from 'zod';
import { PincerError } from '../../src/base/errors.ts';
import type { Bind, BindRules } from '../../src/sandbox/docker/bindTypes.ts';
import { checkBind } from '../../src/sandbox/docker/checkBind.ts';
import type { HostileCase, Verdict } from './hostileCase.ts';

const shape = z.looseObject({
  input: z.string(),
  platform: z.enum(['linux', 'darwin', 'win32']).default('linux'),
  fs: z.record(z.string(), z.string()).default({}),
  missing: z.array(z.string()).default([]),
  with: z.array(z.string()).default([]),
});

const places = {
  linux: { home: '/home/u', roots: ['/home/u/proj', '/data/shared'] },
  darwin: { home: '/Users/u', roots: ['/Users/u/proj'] },
  win32: { home: 'C:\\Users\\u', roots: ['C:\\Users\\u\\proj'] },
} as const;

/** Checks a bind beside the others of its container, on a disk that holds every path but what the case says is missing. */
export async function judge(testCase: HostileCase): Promise<Verdict> {
  const { input, platform, fs: links, missing, with: others } = shape.parse(testCase);
  const rules: BindRules = { platform, ...places[platform], reservedTargets: ['/workspace', '/agent'] };
  const fs = { realpath: (path: string) => Promise.resolve(follow(path, links, missing)) };
  const accepted: Bind[] = [];
  for (const text of [...others, input]) {
    const verdict = await checkBind(fs, text, rules, accepted);
    if (!verdict.ok) return 'block';
    accepted.push(verdict.bind);
  }
  return 'allow';
}

const mostLinks = 40;

function follow(path: string, links: Readonly<Record<string, string>>, missing: readonly string[]): string {
  if (!path.startsWith('/')) return path;
  let left = path.split('/').filter((name) => name !== '' && name !== '.');
  let at = '/';
  let followed = 0;
  for (let name = left.shift(); name !== undefined; name = left.shift()) {
    const next = name === '..' ? posix.dirname(at) : posix.join(at, name);
    if (missing.includes(next)) throw new PincerError('io_not_found', `There is no ${next}.`);
    const target = links[next];
    if (target === undefined) at = next;
    else {
      followed += 1;
      if (followed > mostLinks) throw new PincerError('io_link_loop', `${next} leads to itself.`);
      left = [...target.split('/').filter((each) => each !== '' && each !== '.'), ...left];
      if (target.startsWith('/')) at = '/';
    }
  }
  return at;
}
