import { expect } from 'vitest';
import { openSampleModels } from '../openSampleModels.ts';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a stream function that throws, yields nonsense, or never ends hurts its own answer only',
  async check(world) {
    const { plugins, models, ask } = openSampleModels(world, {}, 500);
    await plugins.sync();
    const last = async (name: string) => (await ask(`acme/${name}`)).at(-1);
    const failure = (code: string, message: string): unknown => expect.objectContaining({ code, message });
    const unavailable = (why: string): unknown => failure('model_unavailable', why);
    expect(await last('nothing')).toEqual(
      failure('model_malformed', 'nothing of plugin acme gave no stream.'),
    );
    expect(await last('cut')).toEqual(
      failure('model_malformed', 'cut of plugin acme ended its answer without an end.'),
    );
    expect(await last('throws')).toEqual(unavailable('throws of plugin acme failed: out of order'));
    expect(await last('failed')).toEqual(unavailable('failed of plugin acme failed: no credit'));
    expect(await last('odd')).toEqual(
      unavailable('odd of plugin acme failed: it yields something that is no event'),
    );
    expect(await last('unnamed')).toEqual(
      unavailable('unnamed of plugin acme failed: it asks for a tool without naming it'),
    );
    const abort = new AbortController();
    const events = models
      .resolve('acme/endless')
      .stream({
        systemPrompt: '',
        messages: [],
        tools: [],
        signal: abort.signal,
      })
      [Symbol.asyncIterator]();
    expect((await events.next()).value).toEqual({ type: 'text', text: 'so far' });
    const next = events.next();
    abort.abort();
    await expect(next).rejects.toMatchObject({ code: 'model_aborted' });
  },
});
