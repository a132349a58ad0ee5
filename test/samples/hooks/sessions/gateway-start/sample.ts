import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'gateway_start fires once when the runtime starts, without a port, with the workspace folder',
  async check({ workspace, say, marks }) {
    await say('hi', done);
    expect(marks).toEqual([
      { context: { pluginConfig: {} } },
      {
        workspaceDir: workspace,
        config: expect.objectContaining({ agents: expect.any(Object) as object }) as object,
        getCron: expect.any(Function) as unknown,
      },
    ]);
  },
});
