import { expect, it } from 'vitest';
import { createParamsValidator } from '../../../src/tools/createParamsValidator.ts';
import { findProtocolFault } from '../../../src/tools/findProtocolFault.ts';
import { channelConfig, openChannelWorld } from '../channels/channelWorld.ts';

it('every core tool has a name and parameters that each model takes: no turn looks at them again', async () => {
  const baseUrl = 'http://127.0.0.1:9';
  const eyes = { api: 'openai-compatible', baseUrl, models: [{ id: 'eyes', imageInput: true }] };
  await using test = await openChannelWorld({
    isRecorded: false,
    config: {
      ...channelConfig(),
      agent: { imageModel: 'local/eyes' },
      models: { providers: { local: eyes } },
      tools: { alsoAllow: ['cron', 'gateway'], web: { search: { provider: 'searxng', baseUrl } } },
    },
    problems: { problemsOf: async () => await Promise.resolve([]) },
  });
  const catalog = test.runtime.tools.catalogFor(test.session);
  const core = catalog.tools().filter(({ owner }) => owner.kind === 'core');
  expect(catalog.hidden()).toEqual([]);
  expect(core.length).toBeGreaterThan(15);
  const validator = createParamsValidator();
  for (const tool of core) {
    expect(tool.name).toMatch(/^[a-z_]{1,64}$/u);
    expect(findProtocolFault(tool.parameters), tool.name).toBeUndefined();
    expect(validator.findSchemaFault(tool), tool.name).toBeUndefined();
  }
});
