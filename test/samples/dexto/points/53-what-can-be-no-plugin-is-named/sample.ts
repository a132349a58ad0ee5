import { expect } from 'vitest';
import { sample, type PointWorld } from '../pointSample.ts';

export default sample({
  rule: 'each way in which a module can be no plugin is told with plugin and file, and what runs goes on until it is corrected',
  async check(world) {
    const { say } = world;
    expect(await problemOf(world, 'export const limit = 3;')).toContain("plugin 'bad' fails check 1 of 5");
    expect(await problemOf(world, 'export default 3;')).toContain("plugin 'bad' fails check 2 of 5");
    expect(
      await problemOf(world, 'export default class { constructor() { throw new Error("no sea"); } }'),
    ).toMatch(/'bad' fails check 3 of 5.*no sea/u);
    expect(await problemOf(world, 'export default class { beforeAll() {} }')).toContain(
      "'bad' fails check 4 of 5",
    );
    expect(
      await problemOf(
        world,
        'export default class { cleanup = 3; beforeResponse() { return { ok: true }; } }',
      ),
    ).toContain("'bad' fails check 5 of 5");
    expect(await problemOf(world, 'export default class {')).toContain("'bad'");
    const turn = await say('hello', [{ expect: { userText: 'hello (good)' }, text: 'Done.' }]);
    expect(turn.outcome).toMatchObject({ status: 'completed' });
    expect(await problemOf(world, 'export default class { beforeResponse() { return { ok: true }; } }')).toBe(
      undefined,
    );
    expect(world.plugin('bad').status).toBe('loaded');
  },
});

/** Adds the plugin `bad`, agrees to it, and gives what is wrong with it. */
async function problemOf({ save, runtime, plugin }: PointWorld, code: string): Promise<string | undefined> {
  await save('.pincer/plugins/bad.js', code);
  await save(
    '.pincer/agent.yml',
    `plugins:
  custom:
    - { name: good, module: "\${{dexto.agent_dir}}/plugins/good.js", priority: 10 }
    - { name: bad, module: "\${{dexto.agent_dir}}/plugins/bad.js", priority: 20 }
`,
  );
  if (plugin('bad').needsConsent !== undefined) await runtime.plugins.setEnabled('dexto:bad', true);
  return plugin('bad').error;
}
