import { expect } from 'vitest';
import { sample } from '../pointSample.ts';

const forms = {
  plugins: 'plugins:\n  responseSanitizer: { redactEmails: true }\n',
  registry:
    'plugins:\n  registry:\n    - { type: response-sanitizer, priority: 5, config: { redactEmails: true } }\n',
  hooks: 'hooks:\n  - { type: response-sanitizer, redactEmails: true }\n',
};

export default sample({
  rule: 'a built-in plugin runs where the agent file names it, in the form of any version, and nowhere else',
  async check({ say, save, runtime }) {
    const answer = async (): Promise<string> => (await say('Who?', [{ text: 'bob@sea.example' }])).shown;
    expect(await answer()).toBe('bob@sea.example');
    for (const text of Object.values(forms)) {
      await save('.pincer/agent.yml', text);
      expect(await answer()).not.toContain('bob@');
      await save('.pincer/agent.yml', 'plugins: {}\n');
      expect(await answer()).toBe('bob@sea.example');
    }
    await save(
      '.pincer/agent.yml',
      'plugins:\n  responseSanitizer: { redactEmails: true, enabled: false }\n',
    );
    expect(await answer()).toBe('bob@sea.example');
    await save('.pincer/agent.yml', 'plugins: {}\n');
    expect(runtime.plugins.plugins().filter(({ dexto }) => dexto !== undefined)).toEqual([]);
  },
});
