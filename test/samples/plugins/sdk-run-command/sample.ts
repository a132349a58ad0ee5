import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'runPluginCommandWithTimeout runs a program without a shell and never rejects',
  async check({ runTool }) {
    expect(JSON.parse(await runTool('ping'))).toEqual([
      '$HOME; ls\n',
      4,
      'command is required',
      1,
      'command timed out after 300ms',
    ]);
  },
});
