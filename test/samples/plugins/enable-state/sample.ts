import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'the switches of the config decide before anything is loaded, each with its reason',
  async check({ manager, marks, load }) {
    const reasons = (): unknown =>
      Object.fromEntries(manager.plugins().map(({ id, reason }) => [id, reason]));
    expect(reasons()).toEqual({
      quiet: 'bundled (disabled by default)',
      a: 'enabled by you',
      b: 'enabled by you',
      c: 'enabled by you',
    });
    await load({
      config: {
        deny: ['a'],
        entries: { b: { enabled: false }, quiet: { enabled: true } },
        allow: ['a', 'b', 'quiet'],
      },
    });
    expect(reasons()).toEqual({
      quiet: 'enabled in config',
      a: 'blocked by denylist',
      b: 'disabled in config',
      c: 'not in allowlist',
    });
    await load({ config: { enabled: false } });
    expect(Object.values(reasons() as object)).toEqual(Array(4).fill('plugins disabled'));
    expect(marks).toEqual(['a', 'b', 'c', 'quiet']);
  },
});
