import { expect } from 'vitest';
import { sample } from '../hookSample.ts';

export default sample({
  rule: 'an entry that names no hook is a warning with the nearest name',
  config: { entries: { greter: { enabled: true } } },
  check({ found }) {
    expect(found('hook_entry_unknown')).toMatchObject([
      {
        message: 'config hooks.internal.entries names no hook "greter"',
        hint: 'The hook with the nearest name is "greeter".',
      },
    ]);
  },
});
