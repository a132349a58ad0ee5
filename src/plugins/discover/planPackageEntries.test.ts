import { describe, expect, it } from 'vitest';
import { planPackageEntries } from './planPackageEntries.ts';

const plan = (openclaw: unknown, name?: string) => planPackageEntries({ name, openclaw }, 'folder');

describe('planPackageEntries', () => {
  it('finds nothing in a package without openclaw.extensions', () => {
    expect(planPackageEntries(undefined, 'folder')).toEqual({ kind: 'none' });
    expect(planPackageEntries({ name: 'x' }, 'folder')).toEqual({ kind: 'none' });
    expect(plan({})).toEqual({ kind: 'none' });
  });

  it('hints at the unscoped package name, and at package and file where there are several', () => {
    expect(plan({ extensions: ['./a.ts'] }, '@me/tools')).toEqual({
      kind: 'entries',
      entries: [{ path: './a.ts', idHint: 'tools' }],
    });
    expect(plan({ extensions: ['./src/a.ts', './b.js'] })).toMatchObject({
      entries: [{ idHint: 'folder/a' }, { idHint: 'folder/b' }],
    });
  });

  it.each([
    ['@openclaw/brave-plugin', 'brave'],
    ['deepseek-provider', 'deepseek'],
    ['-plugin', '-plugin'],
  ])('leaves out what the package %s has behind its id', (name, idHint) => {
    expect(plan({ extensions: ['./a.ts'] }, name)).toMatchObject({ entries: [{ idHint }] });
  });

  it('pairs entries with their compiled form', () => {
    expect(plan({ extensions: ['./a.ts'], runtimeExtensions: ['./dist/a.js'] })).toMatchObject({
      entries: [{ path: './a.ts', runtimePath: './dist/a.js' }],
    });
  });

  it.each([
    [[], 'package.json openclaw must be an object'],
    [{ extensions: './a.ts' }, 'package.json openclaw.extensions must be an array'],
    [{ extensions: [] }, 'package.json openclaw.extensions is empty'],
    [{ extensions: ['a', ' '] }, 'package.json openclaw.extensions[1] must be a non-empty string'],
    [
      { extensions: ['a', 'b'], runtimeExtensions: ['c'] },
      'package.json openclaw.runtimeExtensions length (1) must match openclaw.extensions length (2)',
    ],
  ])('refuses %j in upstream words', (openclaw, message) => {
    expect(plan(openclaw)).toEqual({ kind: 'invalid', message });
  });
});
