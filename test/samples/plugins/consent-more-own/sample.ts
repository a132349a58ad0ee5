import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: "of the user's own plugins, which nobody is asked about, nothing waits",
  check({ plugin }) {
    expect(plugin('sly')).toMatchObject({ status: 'loaded', hookNames: ['before_tool_call'], heldBack: [] });
  },
});
