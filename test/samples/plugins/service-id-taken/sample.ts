import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a service needs an id that is free and a start function; the first of an id runs',
  check({ marks, found }) {
    expect(marks).toEqual(['a']);
    expect(found('plugin_service_refused').map(({ message }) => message)).toEqual([
      'service already registered: sync (a-first)',
      'service registration missing id',
      'service "idle" has no start function',
      'service already registered: sync (a-first)',
    ]);
  },
});
