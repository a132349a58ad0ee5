import { expect } from 'vitest';
import { createHeldModel } from '../../../../builders/createHeldModel.ts';
import { sample } from '../../hookSample.ts';

export default sample({
  rule: 'a turn that is cancelled while the model writes ends with agent_end alone: nothing is judged or sent',
  mayRead: ['reader'],
  async check({ sayTo, marks }) {
    const abort = new AbortController();
    const model = createHeldModel([['wait']]);
    const turn = sayTo('hi', [], { model, signal: abort.signal });
    await model.isWaiting;
    abort.abort();
    expect((await turn).outcome).toEqual({ status: 'cancelled' });
    expect(marks).toEqual(['agent_end cancelled']);
  },
});
