import { expect } from 'vitest';
import { sample } from '../hookSample.ts';

export default sample({
  rule: "hookKey names the entry of the user's own hook; a workspace hook can not read another's settings by it",
  config: { entries: { shared: { env: { TOKEN: 'secret' } } } },
  async check({ found, emit }) {
    expect(await emit('command:new')).toEqual(['secret undefined', 'undefined undefined']);
    expect(found('hook_key_ignored')).toHaveLength(1);
  },
});
