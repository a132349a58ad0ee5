import { expect, it } from 'vitest';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import { planProblems } from './planProblems.ts';

const plugins = [
  { id: 'a', origin: 'global', manifestPath: '/home/a/openclaw.plugin.json' },
  { id: 'ours', origin: 'bundled', manifestPath: '/pincer/ours/openclaw.plugin.json' },
] as const;
const problem = (more: Partial<Diagnostic>): Diagnostic => ({
  level: 'warn',
  code: 'c',
  message: 'm',
  ...more,
});

const planned = (...problems: readonly Diagnostic[]): readonly (readonly [string, number])[] =>
  [...planProblems(problems, plugins, '/home/config.jsonc')].map(([path, found]) => [path, found.length]);

it('lists a problem under its file, wherever that lies, each once', () => {
  expect(
    planned(
      problem({ source: '/home/a/index.ts', line: 3, column: 2 }),
      problem({ source: '/home/a/index.ts', line: 3, column: 2 }),
      problem({ source: '/home/a/index.ts', line: 3, column: 9 }),
      problem({ source: '/w/agent.yml' }),
    ),
  ).toEqual([
    ['/home/a/index.ts', 2],
    ['/w/agent.yml', 1],
  ]);
});

it('lists what names no file under the manifest of its plugin, else under the user’s config', () => {
  expect(
    planned(problem({ pluginId: 'a' }), problem({ pluginId: 'unknown' }), problem({ code: 'slot' })),
  ).toEqual([
    ['/home/a/openclaw.plugin.json', 1],
    ['/home/config.jsonc', 2],
  ]);
});

it('lists of a bundled plugin what is wrong, and no notes', () => {
  expect(
    planned(
      problem({ pluginId: 'ours', level: 'info', source: '/pincer/ours/index.js' }),
      problem({ pluginId: 'ours', level: 'error', source: '/pincer/ours/index.js' }),
      problem({ pluginId: 'ours' }),
    ),
  ).toEqual([
    ['/pincer/ours/index.js', 1],
    ['/home/config.jsonc', 1],
  ]);
});
