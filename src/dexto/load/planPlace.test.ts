import { expect, it } from 'vitest';
import { planPlace } from './planPlace.ts';

const facts = { homes: ['/w/.pincer', '/w'], shared: ['/w/.pincer', '/w', '/home/me', '/w/.pincer/plugins'] };

it('takes the folder of the module, and of a package all of it', () => {
  expect(planPlace({ source: '/w/tools/guard/index.ts' }, facts)).toEqual({
    rootDir: '/w/tools/guard',
    isLooseFile: false,
  });
  const source = '/w/node_modules/guard/dist/index.js';
  expect(planPlace({ source, packageDir: '/w/node_modules/guard' }, facts).rootDir).toBe(
    '/w/node_modules/guard',
  );
});

it.each([
  '/w/.pincer/guard.ts',
  '/w/.pincer/plugins/guard.ts',
  '/w/guard.ts',
  '/guard.ts',
  '/opt/dexto/plugins/guard.ts',
])('takes the file alone from a folder that holds more than the plugin, or lies elsewhere: %s', (source) => {
  expect(planPlace({ source }, facts).isLooseFile).toBe(true);
});
