import { expect } from 'vitest';
import { openSampleModels } from '../openSampleModels.ts';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'models of protocols that are spoken here can be used, and each other one is named',
  async check(world) {
    const { models, plugins, names, messages, ask } = openSampleModels(world);
    await plugins.sync();
    expect(names()).toEqual(['acme/one', 'claude/one', 'gem/one', 'oai/one']);
    expect(models.resolve('acme/one').info).toEqual({
      provider: 'acme',
      model: 'one',
      name: 'One',
      detail: 'models.example',
      contextWindow: 5_000,
      maxOutputTokens: 100,
      toolCalling: true,
      imageInput: true,
      thinking: false,
      cost: { input: 1, output: 2 },
    });
    const known = '(openai-completions, ollama, anthropic-messages, google-generative-ai)';
    expect(messages()).toEqual([
      `provider "other": model "one" speaks openai-responses, which Pincer does not ${known}`,
      `provider "cloud": model "one" speaks bedrock-converse-stream, which Pincer does not ${known}`,
      'provider "cloud": a model has no id',
      'provider "nowhere": model "one" has no http address (baseUrl)',
    ]);
    expect(await ask('acme/one')).toEqual([
      expect.objectContaining({
        code: 'model_no_key',
        hint: 'Set the environment variable ACME_API_KEY and start again.',
      }),
    ]);
  },
});
