import { describe, expect, it } from 'vitest';
import { createPlanJudge } from './judgePlan.ts';

const judge = createPlanJudge(['src/**', 'docs/*.md', '**/index.ts', 'README.md']);

describe('createPlanJudge', () => {
  it.each([
    'src/a.ts',
    'src/deep/er/b.ts',
    'docs/a.md',
    'index.ts',
    'x/y/index.ts',
    './README.md',
    '/w/src/a.ts',
  ])('has %s inside', (path) => {
    expect(judge([path], '/w')).toBeUndefined();
  });

  it.each([
    'src',
    'lib/src/a.ts',
    'docs/deep/a.md',
    'SRC/a.ts',
    'src/../lib/a.ts',
    '../w/src/a.ts',
    '/other/src/a.ts',
    'x/README.md',
  ])('has %s outside', (path) => {
    expect(judge([path], '/w')).toBe(path);
  });

  it('finds the one path outside among several', () => {
    expect(judge(['src/a.ts', 'lib/b.ts'], '/w')).toBe('lib/b.ts');
  });

  it('does not guess where an absolute path belongs', () => {
    expect(judge(['/w/src/a.ts'], undefined)).toBe('/w/src/a.ts');
  });

  it('lets everything pass where there is no plan', () => {
    expect(createPlanJudge([])(['/anywhere'], undefined)).toBeUndefined();
  });
});
