import { expect, it } from 'vitest';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import { planProblems } from './planProblems.ts';

const plugins = [{ id: 'a', manifestPath: '/w/a/openclaw.plugin.json' }];
const problem = (more: Partial<Diagnostic>): Diagnostic => ({
  level: 'warn',
  code: 'c',
  message: 'm',
  ...more,
});

it('lists a problem under its file, else under the manifest of its plugin, each once', () => {
  const found = planProblems(
    [
      problem({ source: '/w/a/index.ts', line: 3, column: 2 }),
      problem({ source: '/w/a/index.ts', line: 3, column: 2 }),
      problem({ source: '/w/a/index.ts', line: 3, column: 9 }),
      problem({ pluginId: 'a' }),
      problem({ pluginId: 'unknown' }),
      problem({ source: '/elsewhere/x.ts' }),
    ],
    plugins,
    (path) => path.startsWith('/w/'),
  );
  expect([...found].map(([path, problems]) => [path, problems.length])).toEqual([
    ['/w/a/index.ts', 2],
    ['/w/a/openclaw.plugin.json', 1],
  ]);
});
