import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

const words = 'my password is hunter2';

export default sample({
  rule: 'what fails before the gate has judged a message does not write the message down',
  async check({ manager: { hooks, diagnostics }, log }) {
    const prompt = { prompt: words, messages: [] };
    await hooks.observe('message_received', { content: words, from: 'user' }, { channelId: 'cli' });
    await hooks.modify('before_model_resolve', { prompt: words }, {});
    await hooks.modify('agent_turn_prepare', { ...prompt, queuedInjections: [] }, {});
    await hooks.modify('before_prompt_build', prompt, {});
    await hooks.modify('before_agent_start', prompt, {});
    const failures = diagnostics().filter(({ code }) => code === 'hook_failed');
    expect(failures).toHaveLength(5);
    expect(failures.every(({ message }) => message.includes('may quote the user'))).toBe(true);
    expect(JSON.stringify([log.lines, diagnostics()])).not.toContain('hunter2');
  },
});
