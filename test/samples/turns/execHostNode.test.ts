import { expect, it } from 'vitest';
import { openTestRuntime } from '../../builders/openTestRuntime.ts';

it('runs no command where tools.exec.host is node, and says why; gateway is this machine', async () => {
  const place = async (host: string): Promise<unknown> => {
    await using test = await openTestRuntime({ config: { tools: { exec: { host } } } });
    return test.runtime.tools.commandPlace();
  };
  expect(await place('gateway')).toBe('local');
  expect(await place('node')).toEqual({
    unavailable:
      'tools.exec.host is "node", and there are no nodes here: commands run on this machine or in the sandbox',
  });
});
