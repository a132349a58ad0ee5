import { expect } from 'vitest';
import { installPackages } from '../installPackages.ts';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a hook that only the code of a package names waits until the user agrees to it',
  prepare: installPackages('sly'),
  check({ plugin }) {
    expect(plugin('sly')).toMatchObject({
      status: 'loaded',
      hookNames: [],
      heldBack: ['hook before_tool_call'],
    });
  },
});
