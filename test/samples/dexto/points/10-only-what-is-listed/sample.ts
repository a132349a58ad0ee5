import { expect } from 'vitest';
import { sample } from '../pointSample.ts';

export default sample({
  rule: 'in the folder plugins beside the agent file only what the file lists is loaded, with what it imports; the rest is no plugin of either dialect',
  async check({ say, marks, runtime, save, plugin }) {
    const { shown } = await say('Hello');
    expect(shown).toBe('High water. The harbour');
    expect(marks).toEqual(['listed']);
    const own = runtime.plugins.plugins().filter(({ origin }) => origin !== 'bundled');
    expect(own.map(({ id }) => id)).toEqual(['dexto:listed', 'dexto:disabled']);
    expect(runtime.workspace.diagnostics().filter(({ level }) => level !== 'info')).toEqual([]);

    await save('.pincer/plugins/signature.json', '{ "text": "The pier" }');
    expect(plugin('listed').needsConsent).toMatchObject({ why: 'files-changed' });
  },
});
