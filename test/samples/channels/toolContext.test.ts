import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { addModel } from '../agents/agentWorld.ts';
import { openChannelWorld } from './channelWorld.ts';

const plugin = `module.exports = (api) => {
  api.registerTool((context) => {
    const { activeModel, agentAccountId, agentDir, deliveryContext, requesterSenderId, senderIsOwner } = context;
    mark(JSON.stringify({ activeModel, agentAccountId, agentDir, deliveryContext, requesterSenderId, senderIsOwner }));
    return null;
  }, { name: 'nothing' });
  api.registerService({ id: 'clockwork', start: async ({ getCron }) => mark('jobs ' + (await getCron().list()).length) });
};`;

it('a tool factory is told who asks which model and where the answer goes, a service has the schedule', async () => {
  await using world = await openChannelWorld({ isRecorded: false, global: { kit: plugin } });
  expect(world.marks).toContain('jobs 0');
  const agentDir = join(world.workspace, '..', 'state', 'plugin-state', 'p-kit', 'agent');
  const activeModel = { provider: 'replay', modelId: 'post', modelRef: 'replay/post' };

  const model = addModel(world, 'post', [
    { text: 'Hello.' },
    { text: 'Hello, too.' },
    { text: 'Hello, all.' },
  ]);
  await world.pair('42', 'sender');
  world.marks.length = 0;
  await world.post.receive({ id: '1', text: 'Hello?' });
  expect(JSON.parse(world.marks.at(-1) ?? '')).toEqual({
    activeModel,
    agentAccountId: 'default',
    agentDir,
    deliveryContext: { channel: 'post', to: 'post:42', accountId: 'default' },
    requesterSenderId: '42',
    senderIsOwner: false,
  });
  expect(existsSync(agentDir)).toBe(true);

  world.marks.length = 0;
  const found = world.runtime.models.find(model);
  await world.say('Hello', [], found === undefined ? {} : { model: found });
  expect(JSON.parse(world.marks.at(-1) ?? '')).toEqual({ activeModel, agentDir, senderIsOwner: true });

  // A tenant is not who owns this machine.
  world.marks.length = 0;
  const session = world.runtime.conversations.create();
  session.adopt({ tenantId: 'harbour' });
  await world.say('Hello', [], { session, ...(found === undefined ? {} : { model: found }) });
  expect(JSON.parse(world.marks.at(-1) ?? '')).toMatchObject({ senderIsOwner: false });
});
