import { expect } from 'vitest';
import { sample } from '../pointSample.ts';

export default sample({
  rule: 'plugins begin in their order and clean up in reverse when the program ends; one that fails keeps no other from it',
  async check({ marks, stop, log }) {
    // Each consent has made a generation of its own.
    expect(marks.filter((mark) => mark.endsWith('begins')).slice(-3)).toEqual([
      'first begins',
      'second begins',
      'third begins',
    ]);
    marks.splice(0);
    await stop();
    expect(marks).toEqual(['third ends', 'second ends', 'first ends']);
    expect(
      log.lines.some(({ message }) => message.includes("cleanup of plugin 'second' failed: stuck drawer")),
    ).toBe(true);
  },
});
