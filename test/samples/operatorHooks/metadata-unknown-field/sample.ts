import { expect } from 'vitest';
import { sample } from '../hookSample.ts';

export default sample({
  rule: 'fields that metadata does not know are named with the nearest one that it does',
  check({ hook }) {
    expect(hook('typo').status).toBe('loaded');
    expect(hook('typo').diagnostics.map(({ message }) => message)).toEqual([
      'hook "typo": HOOK.md: metadata.openclaw has no field "exprot"; it is ignored (nearest: export)',
      'hook "typo": HOOK.md: requires has no field "bin"; it is ignored (nearest: bins)',
      'hook "typo": HOOK.md: "always" is neither true nor false; it is ignored',
    ]);
  },
});
