import { z } from 'zod';
import type { Bind, BindRules } from '../../src/sandbox/docker/bindTypes.ts';
import { checkBind } from '../../src/sandbox/docker/checkBind.ts';
import { createCaseDisk } from './createCaseDisk.ts';
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
  const { with: others, ...bind } = shape.parse(testCase);
  const { platform } = bind;
  const rules: BindRules = { platform, ...places[platform], reservedTargets: ['/workspace', '/agent'] };
  const disk = createCaseDisk(bind);
  const accepted: Bind[] = [];
  for (const text of [...others, bind.input]) {
    const verdict = await checkBind(disk, text, rules, accepted);
    if (!verdict.ok) return 'block';
    accepted.push(verdict.bind);
  }
  return 'allow';
}
