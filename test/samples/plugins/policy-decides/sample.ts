import { expect } from 'vitest';
import type { HookOutcome } from '../../../../src/hooks/hookTypes.ts';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a trusted tool policy denies with its reason, replaces parameters or asks; what it throws blocks',
  async check({ manager, found }) {
    const judge = async (by: string): Promise<HookOutcome<'before_tool_call'>> => {
      const event = { toolName: 'write', params: { by, path: 'a' } };
      return await manager.hooks.modify('before_tool_call', event, { toolName: 'write' }, undefined, {
        stage: 'policies',
      });
    };
    const reasonOf = async (by: string): Promise<unknown> => (await judge(by)).block;
    expect(await reasonOf('deny')).toEqual({ pluginId: 'rules', reason: 'blocked by deny' });
    expect(await reasonOf('deny-why')).toEqual({ pluginId: 'rules', reason: 'No budget left.' });
    expect(await judge('replace')).toEqual({ params: { path: 'a.bak' }, asks: [] });
    expect((await judge('ask')).asks).toMatchObject([{ asker: 'rules', title: 'Sure?' }]);
    expect(await judge('silent')).toEqual({ params: { by: 'silent', path: 'a' }, asks: [] });
    for (const by of ['broken', 'odd'])
      expect(await reasonOf(by)).toEqual({
        pluginId: 'rules',
        reason: `Tool call blocked because trusted tool policy ${by} failed`,
      });
    expect(found('plugin_policy_failed', 'rules')).toHaveLength(2);
  },
});
