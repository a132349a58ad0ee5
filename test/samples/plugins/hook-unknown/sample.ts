import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a hook name that does not exist is a warning with the nearest one; the plugin loads',
  check({ plugin, found }) {
    expect(plugin('typo')).toMatchObject({ status: 'loaded', hookNames: ['gateway_stop'] });
    expect(found('plugin_hook_unknown', 'typo')).toMatchObject([
      { message: 'unknown typed hook "before_toolcall" ignored', hint: 'Did you mean "before_tool_call"?' },
    ]);
  },
});
