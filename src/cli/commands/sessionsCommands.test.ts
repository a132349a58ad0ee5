import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { recordOutput } from '../../../test/builders/memoryParts.ts';
import { createInMemoryLog } from '../../../test/builders/inMemoryLog.ts';
import { createManualClock } from '../../../test/builders/manualClock.ts';
import { createNodeFileSystem } from '../../host/node/nodeFileSystem.ts';
import type { Session } from '../../sessions/session.ts';
import { createSessionStore, type SessionStore } from '../../sessions/sessionStore.ts';
import { tenantOf } from '../tenantOptions.ts';
import { openSession } from './agentSession.ts';
import {
  findSummary,
  listSessions,
  addSessionsCommands,
  searchInSessions,
  showSession,
} from './sessionsProgram.ts';

const at = Date.UTC(2026, 10, 21, 20, 15);
let { output, out } = recordOutput();
beforeEach(() => void ({ output, out } = recordOutput()));

describe('pincer sessions', () => {
  let folder: string;
  let sessions: SessionStore;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pincer-sessions-cli-'));
    const host = { fs: createNodeFileSystem(), clock: createManualClock(at), log: createInMemoryLog() };
    sessions = createSessionStore({ ...host, folder, channel: 'cli' });
  });
  afterEach(() => rm(folder, { recursive: true }));
  const say = async (text: string, agentId = 'main'): Promise<Session> => {
    const session = sessions.create(['/w'], { agentId });
    await session.append({ role: 'user', content: [{ type: 'text', text }], timestamp: at });
    return session;
  };

  it('lists them in columns, with what people should know', async () => {
    const session = await say('Where is\u001b[2J the key?');
    await session.markTurn('r', 'started');
    await listSessions(sessions, {}, output);
    expect(out()).toBe(
      [
        'ID        LAST              MESSAGES  AGENT  TITLE',
        `${session.id.slice(0, 8)}  2026-11-21 20:15  1         main   Where is[2J the key? (interrupted)`,
        '',
      ].join('\n'),
    );
  });

  it('says so where there are none, and gives them as JSON', async () => {
    await listSessions(sessions, {}, output);
    expect(out()).toContain('no sessions');
    const session = await say('Hi');
    const json = recordOutput();
    await listSessions(sessions, { json: true }, json.output);
    expect(JSON.parse(json.out())).toMatchObject({ sessions: [{ id: session.id, title: 'Hi' }] });
  });

  it('finds one by the beginning of its id, and never guesses', async () => {
    const session = await say('Hi');
    expect((await findSummary(sessions, session.id.slice(0, 6))).id).toBe(session.id);
    await expect(findSummary(sessions, 'zzz')).rejects.toMatchObject({ code: 'session_unknown' });
    await expect(findSummary(sessions, '')).rejects.toMatchObject({ code: 'session_unknown' });
    for (let more = 0; more < 16; more += 1) await say('Hi');
    const firsts = (await sessions.list()).map((id) => id.charAt(0));
    const twice = firsts.find((first, index) => firsts.indexOf(first) !== index) ?? '';
    await expect(findSummary(sessions, twice)).rejects.toMatchObject({ code: 'session_ambiguous' });
  });

  it('shows what one is and what was said last, one line each', async () => {
    const session = await say('One\nError: forged\u001b[2J');
    await session.setSettings({ thinking: 'high' });
    showSession(await findSummary(sessions, session.id), session, {}, output);
    expect(out()).toContain('Settings  thinking high\n');
    expect(out()).toContain('\nUser: One Error: forged[2J\n');
  });

  it('prints what a search finds, and refuses to search for nothing', async () => {
    const session = await say('Where is the key?');
    const { signal } = new AbortController();
    await searchInSessions(sessions, 'KEY', {}, output, signal);
    expect(out()).toBe(
      `${session.id.slice(0, 8)}  2026-11-21 20:15  1 place  Where is the key?\n    Where is the key?\n\n`,
    );
    await expect(searchInSessions(sessions, ' ', {}, output, signal)).rejects.toMatchObject({
      code: 'query_empty',
    });
  });

  it('agent: begins a session of the agent that is asked for, and goes on only with one of it', async () => {
    const create = (agentId = 'preset'): Session => sessions.create(['/w'], { agentId });
    const runtime = { conversations: { sessions, create } };
    expect((await openSession(runtime, {})).agentId).toBe('preset');
    expect((await openSession(runtime, { agent: 'writer' })).agentId).toBe('writer');
    await expect(openSession(runtime, { session: 'zzz' })).rejects.toMatchObject({ code: 'session_unknown' });
    const session = await say('Hi', 'writer');
    const start = session.id.slice(0, 9);
    expect(await openSession(runtime, { session: start, agent: 'writer' })).toBe(session);
    await expect(openSession(runtime, { session: start, agent: 'main' })).rejects.toMatchObject({
      code: 'session_agent_differs',
    });
  });
});

describe('the command line', () => {
  /** The options that reach a command, without running any. */
  async function parse(...args: readonly string[]): Promise<readonly unknown[]> {
    const seen: unknown[] = [];
    const program = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
    const act =
      () =>
      async (...given: unknown[]) => {
        const command = given.at(-1) as Command;
        seen.push(command.name(), command.args, command.opts());
      };
    addSessionsCommands(program, act, output);
    await program.parseAsync(['sessions', ...args], { from: 'user' });
    return seen;
  }

  it('takes names and queries of several words', async () => {
    expect(await parse('rename', 'abc', 'My', 'plan')).toEqual(['rename', ['abc', 'My', 'plan'], {}]);
    expect(await parse('search', 'my', 'plan')).toEqual(['search', ['my', 'plan'], {}]);
  });

  it('takes a tenant and a user for each of them', async () => {
    const whose = ['--tenant', 'a', '--user', 'ada'];
    for (const args of [
      ['list'],
      ['show', 'x'],
      ['search', 'x'],
      ['rename', 'x', 'y'],
      ['fork', 'x'],
      ['export', 'x'],
      ['delete', 'x'],
    ])
      expect(await parse(...args, ...whose)).toEqual([args[0], args.slice(1), { tenant: 'a', user: 'ada' }]);
    expect(tenantOf({ tenant: 'a', user: 'ada' })).toEqual({ tenantId: 'a', userId: 'ada' });
    expect(tenantOf({ tenant: 'a' })).toEqual({ tenantId: 'a' });
    expect(tenantOf({})).toBeUndefined();
  });

  it('takes one point to fork at, not two', async () => {
    expect(await parse('fork', 'abc', '--before-turn', 'r1')).toEqual([
      'fork',
      ['abc'],
      { beforeTurn: 'r1' },
    ]);
    await expect(parse('fork', 'abc', '--before-turn', 'r', '--through-entry', 'e')).rejects.toThrow(
      'cannot be used with',
    );
  });
});
