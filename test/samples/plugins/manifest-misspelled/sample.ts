import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a field that nearly has a known name is named, an unknown one is not',
  check({ found }) {
    expect(found('plugin_manifest_odd', 'p').map(({ message }) => message)).toEqual([
      'plugin manifest: unknown field "uihints"; did you mean "uiHints"?',
    ]);
  },
});
