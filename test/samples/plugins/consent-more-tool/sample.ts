import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a tool whose name the code computes is not offered before the user agrees to it, one of a factory neither',
  async check({ manager, found }) {
    const names = () => manager.tools({}).map(({ name }) => name);
    expect(names()).toEqual([]);
    expect(found('plugin_registers_more', 'sly').flatMap(({ fixes = [] }) => fixes)).toMatchObject([
      { names: ['tool send_plain'] },
      { names: ['tool send_factory'] },
      { names: ['tool send_other'] },
    ]);
    await manager.allowRegistrations('sly', ['tool send_plain', 'tool send_factory']);
    expect(names()).toEqual(['send_plain', 'send_factory']);
  },
});
