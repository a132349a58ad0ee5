import { expect } from 'vitest';
import { decideHook } from '../../../../src/plugins/operatorHooks/planHook.ts';
import { sample } from '../hookSample.ts';

/** A config without `enabled`, which names one hook. */
const config = { entries: { named: {} }, load: { extraDirs: [] } };

export default sample({
  rule: "without hooks.internal.enabled the user's own hooks run where entries names them, and no others",
  async check({ hooks, hook, emit, workspace, load }) {
    await hooks.load({ roots: [workspace], trusted: true, config });
    expect(await emit('command:new')).toEqual(['named']);
    expect(hook('other').reason).toMatch(/^hooks are off/u);
    await load({ config: { entries: { other: { enabled: false } } } });
    expect(await emit('command:new')).toEqual(['named']);
    expect(hook('other').reason).toBe('disabled in config');
    const facts = { config: { ...config, load: { extraDirs: ['/x'] } }, trusted: true } as const;
    const other = { key: 'other', origin: 'managed' } as const;
    expect(decideHook(other, { ...facts, consent: 'not-needed' }).enabled).toBe(true);
  },
});
