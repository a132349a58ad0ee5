import { describe, expect, it } from 'vitest';
import { findCycles } from './findCycles.ts';
import { namedPaths, readImports } from './readImports.ts';

describe('findCycles', () => {
  const cyclesOf = (imports: Readonly<Record<string, readonly string[]>>): readonly (readonly string[])[] =>
    findCycles(new Map(Object.entries(imports)));

  it('finds none where imports only go down', () => {
    expect(cyclesOf({ 'a.ts': ['b.ts', 'c.ts'], 'b.ts': ['c.ts'], 'c.ts': [] })).toEqual([]);
  });

  it('names the shortest way around of each group, and a file that imports itself', () => {
    expect(
      cyclesOf({
        'a.ts': ['b.ts'],
        'b.ts': ['c.ts'],
        'c.ts': ['a.ts', 'b.ts'],
        'self.ts': ['self.ts'],
        'x.ts': ['a.ts', 'self.ts'],
      }),
    ).toEqual([
      ['b.ts', 'c.ts', 'b.ts'],
      ['self.ts', 'self.ts'],
    ]);
  });

  it('counts imports of types, exports and what is loaded later', () => {
    const text = [
      "import type { A } from './a.ts';",
      "import {\n  b,\n  type B,\n} from '../b.ts';",
      "export { c } from './c.ts';",
      "const { d } = await import('./d.ts');",
      "import './e.ts';",
      "import { z } from 'zod';",
    ].join('\n');
    expect(namedPaths(text)).toEqual(['./a.ts', '../b.ts', './c.ts', './d.ts', './e.ts']);
  });

  it('reads what the product imports, type imports counted', async () => {
    const imports = await readImports(['scripts']);
    expect(imports.get('scripts/findCycles.ts')).toEqual(['scripts/readImports.ts']);
  });
});
