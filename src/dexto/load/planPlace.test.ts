import { describe, expect, it } from 'vitest';
import { looseFilesOf, planPlace } from './planPlace.ts';

const shared = ['/w/.pincer', '/w', '/home/me'];

describe('planPlace', () => {
  it('takes the folder of the module, and of a package all of it', () => {
    expect(planPlace({ source: '/w/tools/guard/index.ts' }, shared)).toEqual({
      rootDir: '/w/tools/guard',
      isLooseFile: false,
    });
    const source = '/w/node_modules/guard/dist/index.js';
    expect(planPlace({ source, packageDir: '/w/node_modules/guard' }, shared).rootDir).toBe(
      '/w/node_modules/guard',
    );
  });

  it('takes the file alone from a folder that holds more than the plugin', () => {
    for (const source of ['/w/.pincer/guard.ts', '/w/guard.ts', '/home/guard.ts', '/guard.ts']) {
      const place = planPlace({ source }, shared);
      expect(place.isLooseFile).toBe(true);
      expect(looseFilesOf(place, source)).toEqual({ looseFiles: ['guard.ts'] });
    }
  });
});
