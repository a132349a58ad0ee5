import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a plugin is told what bytes are: their type, kind and size, and whether they make a voice message',
  async check({ runTool, found }) {
    const look = async (part: string): Promise<unknown> => JSON.parse(await runTool('look', { part }));
    expect(await look('sizes')).toEqual([
      { width: 3, height: 2 },
      { width: 5, height: 4 },
      { width: 9, height: 7 },
      { width: 12, height: 11 },
      null,
      null,
    ]);
    expect(await look('types')).toEqual([
      'image/png',
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      'audio/mpeg',
      'text/html',
      'audio/ogg',
      null,
    ]);
    expect(await look('kinds')).toEqual(['image', 'audio', 'video', 'document', null, null]);
    expect(await look('voice')).toEqual([true, true, false, false]);
    expect(await look('lost')).toEqual([true, true]);
    expect(found('plugin_member_absent')).toHaveLength(2);
  },
});
