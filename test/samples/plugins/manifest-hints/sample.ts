import { expect } from 'vitest';
import { openSampleModels } from '../openSampleModels.ts';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'providers, activation, commandAliases and setup are read: what they give is used, the rest is named',
  async check(world) {
    const { manager, found, load, plugin } = world;
    expect(
      found('plugin_manifest_unused').map(({ pluginId, message }) => `${String(pluginId)}: ${message}`),
    ).toEqual([
      'acme: activation.onStartup, activation.onCommands, activation.onCapabilities: no effect here, an enabled plugin loads as the program starts',
      'acme: setup.requiresRuntime, setup.configMigrations, setup.providers[].authMethods: no effect here, a plugin is set up by its settings and environment variables',
      'acme: the manifest names providers that the plugin did not register: other',
    ]);
    const { plugins, ask } = openSampleModels(world);
    await plugins.sync();
    expect(await ask('acme/one')).toMatchObject([
      { hint: 'Set the environment variable ACME_API_KEY and start again.' },
    ]);

    expect(plugin('broken').status).toBe('error');
    expect(manager.commands().map(({ name }) => name)).toEqual(['acme-status', 'dreaming']);
    const [own, placeholder] = manager.commands();
    expect((await own?.run('', { channel: 'cli' }))?.text).toBe('fine');
    const text = (await placeholder?.run('', { channel: 'cli' }))?.text.replaceAll('\\', '');
    expect(text).toMatch(/^⚠️ \/dreaming belongs to plugin broken, which did not load: .*no dreams today/u);
    expect(text).toContain('Related: pincer memory.');

    await load({ config: { allow: ['dreaming', 'plain'] } });
    expect(found('plugins_allow_command').map(({ message }) => message)).toEqual([
      'plugins.allow names "dreaming", which is a command of plugin broken',
    ]);
  },
});
