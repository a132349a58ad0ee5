import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openTestRuntime } from '../../builders/openTestRuntime.ts';

const plugin = `module.exports = (api) => {
  api.registerService({ id: 'watch', start: (context) => void (globalThis.watched = context) });
  api.registerCommand({
    name: 'where', description: 'Where it works.',
    handler: async ({ sessionId, agentId }) => {
      const { agent, system } = api.runtime;
      const { stdout } = await system.runCommandWithTimeout([process.execPath, '-p', 'process.cwd()'], 60000);
      return JSON.stringify({
        resolved: agent.resolveAgentWorkspaceDir(api.config, 'main'),
        of: agent.resolveAgentWorkspaceDir(api.config, 'docs'),
        command: stdout.trim(),
        service: globalThis.watched.workspaceDir,
        session: [sessionId, agentId],
      });
    },
  });
};`;

it("works in the user's folder as it is now, wherever the plugin lies", async () => {
  await using test = await openTestRuntime({
    global: { mine: plugin },
    config: { agents: { docs: { workspace: 'other' } } },
  });
  const where = async (): Promise<unknown> =>
    JSON.parse((await test.runtime.plugins.findCommand('/where')?.run(test.session))?.text ?? '');
  const { workspace } = test;
  const session = [test.session.id, 'main'];
  expect(await where()).toEqual({
    resolved: workspace,
    of: workspace,
    command: workspace,
    service: workspace,
    session,
  });

  const other = join(workspace, '..', 'other');
  await mkdir(other);
  await test.runtime.workspace.update({ folders: [workspace, other], isTrusted: true });
  expect(await where()).toEqual({
    resolved: workspace,
    of: other,
    command: workspace,
    service: workspace,
    session,
  });
  await test.runtime.workspace.update({ folders: [other], isTrusted: true });
  expect(await where()).toEqual({ resolved: other, of: other, command: other, service: other, session });
});
