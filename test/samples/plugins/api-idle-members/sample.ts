import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a member of api.runtime that has no effect here can be called, and the call is a warning that says what is lost',
  check({ found }) {
    const said = "the configuration is the user's; plugins only read it";
    expect(
      found('plugin_method_unsupported', 'writer').map(({ level, message }) => `${level}: ${message}`),
    ).toEqual([
      'warn: api.runtime.tools.registerMemoryCli has no effect here: pincer memory is there whichever plugin has the slot',
      `warn: api.runtime.config.writeConfigFile has no effect here: ${said}`,
      `warn: api.runtime.config.mutateConfigFile has no effect here: ${said}`,
      `warn: api.runtime.config.replaceConfigFile has no effect here: ${said}`,
    ]);
  },
});
