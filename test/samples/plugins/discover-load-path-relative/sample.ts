import { join, relative } from 'node:path';
import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a load path that is not absolute is refused: it would lead into whatever repository the process runs in',
  config: { load: { paths: [] } },
  async check({ root, load, marks, found }) {
    const path = relative(process.cwd(), join(root, 'config'));
    await load({ config: { load: { paths: [path, 'config', '~other/x'] } } });
    expect(marks).toEqual([]);
    expect(found('plugin_path_not_absolute').map(({ message }) => message)).toEqual(
      [path, 'config', '~other/x'].map((each) => `plugin path is not absolute: ${each}`),
    );
  },
});
