import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { AgentEvent } from '../../../../../src/contracts/agentEvent.ts';
import {
  startScriptedModelServer,
  textAnswer,
  type ScriptedModelServer,
} from '../../../../builders/scriptedModelServer.ts';
import { sample, type PointWorld } from '../pointSample.ts';

const key = ['sk', 'ABCDEFGHIJKLMNOPQRSTUVWX12345678'].join('-');
const hash = '9fceb02d0ae598e95dc970b74767f19372d61af8';
let server: ScriptedModelServer | undefined;

export default sample({
  rule: 'responseSanitizer takes keys out of a streamed answer, also one that comes in two chunks; hashes and prose stay, and what is too long is cut',
  async prepare({ root }) {
    server = await startScriptedModelServer();
    const local = { api: 'openai-compatible', baseUrl: server.baseUrl, models: [{ id: 'scripted' }] };
    await mkdir(join(root, 'home'));
    await writeFile(join(root, 'home', 'config.jsonc'), JSON.stringify({ models: { providers: { local } } }));
  },
  async check(world) {
    try {
      server?.script(
        textAnswer('It is ', key.slice(0, 9), key.slice(9), `, token implementation_details of ${hash}.`),
        textAnswer('y'.repeat(200)),
      );
      const first = await ask(world, 'key?');
      expect(first.shown).toBe(`It is [REDACTED], token implementation_details of ${hash}.`);
      const all = JSON.stringify([first.events, world.session.messages(), await world.stored()]);
      expect(all).toContain('[REDACTED]');
      expect(all).not.toContain(key);
      expect(all).not.toContain(key.slice(9));
      const second = await ask(world, 'more?');
      expect(second.shown).toBe(`${'y'.repeat(120)}\n[Response truncated]`);
    } finally {
      await server?.dispose();
    }
  },
});

async function ask({ runtime, session, workspace }: PointWorld, prompt: string) {
  const events: AgentEvent[] = [];
  const run = await runtime.turns.start({
    ...{ session, prompt, attachments: [], model: await runtime.models.open('local/scripted', workspace) },
    signal: new AbortController().signal,
    emit: (event) => void events.push(event),
  });
  await run.settled;
  return { events, shown: events.map((event) => (event.type === 'text' ? event.text : '')).join('') };
}
