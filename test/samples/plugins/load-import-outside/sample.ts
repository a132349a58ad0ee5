import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'nothing outside of the folder is imported, by whatever name, nor what is no code by its own or a test: nobody has agreed to what it says',
  async prepare(root) {
    const ran = "mark('outside ran'); exports.outside = 1;";
    await writeFile(join(root, 'workspace/outside.cjs'), ran);
    await mkdir(join(root, 'workspace/node_modules/beside'), { recursive: true });
    await writeFile(join(root, 'workspace/node_modules/beside/index.js'), ran);
    await symlink('inside.test.js', join(root, 'workspace/.pincer/plugins/p/linked.js'));
  },
  async check({ runTool, marks }) {
    const outcome = async (way: string) => [way, await runTool('try_way', { way })];
    const ways = [
      'require',
      'import',
      'comment',
      'line',
      'url',
      'createRequire',
      'package',
      'text',
      'types',
      'test',
      'testByEnding',
      'testByLink',
      'testByPackage',
      'inside',
    ];
    expect(await Promise.all(ways.map(outcome))).toEqual([
      ['require', 'plugin_import_outside'],
      ['import', 'plugin_import_outside'],
      ['comment', 'plugin_import_outside'],
      ['line', 'plugin_import_outside'],
      ['url', 'plugin_import_outside'],
      ['createRequire', 'plugin_import_outside'],
      ['package', 'MODULE_NOT_FOUND'],
      ['text', 'plugin_import_no_code'],
      ['types', 'plugin_import_no_code'],
      ['test', 'plugin_import_no_code'],
      ['testByEnding', 'plugin_import_no_code'],
      ['testByLink', 'plugin_import_no_code'],
      ['testByPackage', 'plugin_import_no_code'],
      ['inside', 'loaded default,within'],
    ]);
    expect(marks).toEqual([]);
  },
});
