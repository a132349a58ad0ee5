import { expect } from 'vitest';
import { installPackages } from '../installPackages.ts';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a package in both forms gives one to what imports it and the other to what requires it, each once, as in Node',
  prepare: installPackages('p'),
  async check({ runTool, marks }) {
    expect(JSON.parse(await runTool('ping'))).toEqual({
      module: 'import function import',
      typescript: 'import function import',
      typescriptRequire: 'require object',
      importEquals: 'require object',
      commonjs: 'require object',
      commonjsImport: 'import function',
      created: 'require object',
      inner: 'import require',
      metaResolve: 'dual/index.mjs',
      requireResolve: 'dual/index.cjs',
      isShared: true,
      onlyImport: 'only import',
      onlyRequire: 'only require',
    });
    expect(marks).toEqual(['dual import', 'dual require']);
  },
});
