import { expect, it } from 'vitest';
import type { RunHandle } from '../agent/turn.ts';
import { agentsSection } from '../config/sections/agentsSection.ts';
import type { RunOutcome } from '../contracts/agentEvent.ts';
import type { Model, ModelInfo } from '../contracts/model.ts';
import { createManualClock } from '../../test/builders/manualClock.ts';
import type { Session } from '../sessions/session.ts';
import type { AgentTurnRequest } from './agentTurn.ts';
import { createEmbeddedAgents } from './createEmbeddedAgents.ts';

const model = { info: { provider: 'p', model: 'm' } as ModelInfo } as Model;

function open(
  defaultModel: () => Model | undefined = () => model,
  tenant: () => { readonly tenantId: string } | undefined = () => undefined,
) {
  const clock = createManualClock();
  const turns: AgentTurnRequest[] = [];
  const ends: ((outcome: RunOutcome) => void)[] = [];
  const removed: string[] = [];
  let made = 0;
  const agents = createEmbeddedAgents({
    folderOf: () => undefined,
    clock,
    config: () => ({ agents: agentsSection.resolve({ agents: { helper: {} } }) }),
    createSession({ agentId, kind, ...header } = {}) {
      made += 1;
      const key = `agent:${agentId ?? ''}:${kind ?? ''}:s${made}`;
      return { id: `s${made}`, key, header } as unknown as Session;
    },
    removeSession: (id) => Promise.resolve(void removed.push(id)),
    startTurn(request) {
      turns.push(request);
      const outcome = new Promise<RunOutcome>((resolve) => {
        ends.push(resolve);
        request.signal.addEventListener('abort', () => resolve({ status: 'cancelled' }));
      });
      return Promise.resolve({ runId: `r${turns.length}`, outcome } as RunHandle);
    },
    findModel: () => undefined,
    defaultModel,
    tenant,
    signal: () => new AbortController().signal,
  });
  const run = async (more: object = {}) =>
    await agents.run({ pluginId: 'p', prompt: 'go', withoutTools: false, ...more });
  return { agents, clock, turns, ends, removed, run };
}

it('runs few agents of one plugin at one time, and more once one has ended', async () => {
  const { run, ends } = open();
  const [first] = [await run(), await run(), await run()];
  await expect(run()).rejects.toMatchObject({ code: 'plugin_agent_too_many' });
  expect((await run({ pluginId: 'other' })).runId).toBe('r4');
  ends[0]?.({ status: 'completed', text: 'done' });
  await first.ended;
  expect((await run()).runId).toBe('r5');
});

it('goes on in a session by the name that the plugin gave it, and in no session of another one', async () => {
  const { agents, run, removed } = open();
  const { session } = await run({ sessionName: 'task' });
  expect((await run({ sessionName: 'task' })).session).toBe(session);
  expect((await run({ sessionName: session.key })).session).toBe(session);
  expect(agents.session('p', 'task')).toBe(session);
  expect(() => agents.session('other', 'task')).toThrow('Plugin other has made no session "task".');
  expect((await run({ pluginId: 'other', sessionName: session.key })).session).not.toBe(session);
  await agents.remove('p', 'task');
  expect(removed).toEqual([session.id]);
  expect(() => agents.session('p', session.key)).toThrow('has made no session');
});

it('goes on in no session of another tenant, and begins each one for the tenant that runs', async () => {
  let tenant: { readonly tenantId: string } | undefined = { tenantId: 'a' };
  const { agents, run } = open(
    () => model,
    () => tenant,
  );
  const { session } = await run({ sessionName: 'task' });
  expect(session.header.tenant).toEqual({ tenantId: 'a' });
  tenant = { tenantId: 'b' };
  expect((await run({ sessionName: 'task' })).session).not.toBe(session);
  expect((await run({ sessionName: session.id })).session).not.toBe(session);
  tenant = undefined;
  expect(() => agents.session('p', 'task')).toThrow('has made no session');
});

it('ends after its time, and says so', async () => {
  const { clock, run } = open();
  const { ended } = await run({ timeoutMs: 5_000 });
  clock.advance(5_000);
  expect(await ended).toMatchObject({ outcome: { status: 'cancelled' }, isTimeout: true, durationMs: 5_000 });
});

it('asks under the name of the plugin, with its words as a part of their own', async () => {
  const { turns, run } = open();
  await run({ extraSystemPrompt: 'Be short.' });
  expect(turns[0]).toMatchObject({
    askedBy: 'plugin p',
    parts: [{ owner: { kind: 'plugin', pluginId: 'p' }, text: 'Be short.' }],
  });
});

it('refuses an agent or a model that is not there, and takes no place then', async () => {
  const { run } = open();
  for (let attempt = 0; attempt < 5; attempt += 1) {
    await expect(run({ agentId: 'gone' })).rejects.toMatchObject({ code: 'agent_unknown' });
    await expect(run({ model: 'a/b' })).rejects.toMatchObject({ code: 'model_unknown' });
  }
  expect((await run({ agentId: 'helper' })).session.key).toBe('agent:helper:subagent:s1');
});

it('tells a plugin that there is no model where the user has none', async () => {
  const { run } = open(() => undefined);
  await expect(run()).rejects.toMatchObject({ code: 'plugin_model_missing' });
});
