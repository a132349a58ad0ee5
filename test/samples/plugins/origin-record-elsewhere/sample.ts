import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a workspace plugin that brings an install record gains nothing by it',
  check({ marks }) {
    expect(marks).toEqual(['bundled']);
  },
});
