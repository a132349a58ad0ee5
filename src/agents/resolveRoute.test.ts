import { describe, expect, it } from 'vitest';
import { agentsSection, type Binding } from '../config/sections/agentsSection.ts';
import { resolveRoute, type RouteMessage } from './resolveRoute.ts';

type Match = Binding['match'];

const direct = { kind: 'direct', id: '555' } as const;
const group = { kind: 'group', id: 'dev' } as const;

/** Agents a to f are there; bindings go to them in this order. */
function route(message: RouteMessage, ...matches: readonly Match[]) {
  const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
  const config = agentsSection.resolve({
    agents: Object.fromEntries(ids.map((id) => [id, {}])),
    bindings: matches.map((match, index) => ({ agentId: ids[index] ?? 'f', match })),
  });
  const { agentId, matchedBy } = resolveRoute(message, config);
  return `${agentId} by ${matchedBy}`;
}

const message: RouteMessage = { channel: 'whatsapp', accountId: 'biz', peer: direct, guildId: 'team' };

describe('resolveRoute', () => {
  it('takes peer before guild before account before channel before the default agent', () => {
    const channel = { channel: 'whatsapp' };
    const account = { ...channel, accountId: 'biz' };
    const guild = { ...channel, guildId: 'team' };
    const peer = { ...channel, peer: direct };
    expect(route(message, channel, account, guild, peer)).toBe('d by peer');
    expect(route(message, channel, account, guild)).toBe('c by guild');
    expect(route(message, channel, account)).toBe('b by account');
    expect(route(message, channel)).toBe('a by channel');
    expect(route(message)).toBe('main by default');
    expect(route(message, peer, guild, account, channel)).toBe('a by peer');
  });

  it('takes the thread itself before the group around it, and that before roles, guild, team and account', () => {
    const thread: RouteMessage = {
      ...{ channel: 'discord', accountId: 'bot', guildId: 'server', teamId: 'acme', roles: ['dev', 'ops'] },
      ...{ peer: { kind: 'channel', id: 'thread' }, parentPeer: group },
    };
    const on = { channel: 'discord' };
    const own = { ...on, peer: { kind: 'channel', id: 'thread' } } as const;
    const around = { ...on, peer: group };
    const roles = { ...on, guildId: 'server', roles: ['ops'] };
    const guild = { ...on, guildId: 'server' };
    const team = { ...on, teamId: 'acme' };
    const account = { ...on, accountId: 'bot' };
    expect(route(thread, account, team, guild, roles, around, own)).toBe('f by peer');
    expect(route(thread, account, team, guild, roles, around)).toBe('e by parent peer');
    expect(route(thread, account, team, guild, roles)).toBe('d by roles');
    expect(route(thread, account, team, guild)).toBe('c by guild');
    expect(route(thread, account, team)).toBe('b by team');
    expect(route(thread, { ...guild, ...team, ...account }, around)).toBe('b by parent peer');
    expect(route(thread, { ...on, guildId: 'server', roles: ['boss'] })).toBe('main by default');
    expect(route({ channel: 'discord' }, team, roles)).toBe('main by default');
  });

  it('takes the one that names more where the most specific thing is the same', () => {
    const peer = { channel: 'whatsapp', peer: direct };
    expect(route(message, peer, { ...peer, accountId: 'biz' })).toBe('b by peer');
    expect(route(message, { ...peer, accountId: 'biz' }, { ...peer, guildId: 'team' })).toBe('b by peer');
    const guild = { channel: 'whatsapp', guildId: 'team' };
    expect(route(message, guild, { ...guild, accountId: 'biz' })).toBe('b by guild');
    expect(route(message, { ...guild, accountId: 'biz' }, peer)).toBe('b by peer');
  });

  it.each<[string, Match]>([
    ['peer', { channel: 'whatsapp', peer: direct }],
    ['guild', { channel: 'whatsapp', guildId: 'team' }],
    ['account', { channel: 'whatsapp', accountId: 'biz' }],
    ['channel', { channel: 'whatsapp' }],
  ])('takes the first written of two that say the same (%s)', (level, match) => {
    expect(route(message, match, match)).toBe(`a by ${level}`);
  });

  it('takes * for any account, which makes nothing more specific', () => {
    const any = { channel: 'whatsapp', accountId: '*' };
    expect(route(message, any)).toBe('a by channel');
    expect(route({ channel: 'whatsapp' }, any)).toBe('a by channel');
    expect(route(message, any, { channel: 'whatsapp' })).toBe('a by channel');
    expect(route(message, { channel: 'whatsapp' }, any)).toBe('a by channel');
    expect(route(message, any, { channel: 'whatsapp', accountId: 'biz' })).toBe('b by account');
  });

  it.each<[string, RouteMessage, Match]>([
    ['another channel', message, { channel: 'telegram' }],
    ['another account', message, { channel: 'whatsapp', accountId: 'home' }],
    ['no account', { channel: 'whatsapp' }, { channel: 'whatsapp', accountId: 'biz' }],
    ['another peer', message, { channel: 'whatsapp', peer: { kind: 'direct', id: '556' } }],
    [
      'a peer of another kind',
      { ...message, peer: group },
      { channel: 'whatsapp', peer: { kind: 'channel', id: 'dev' } },
    ],
    ['no peer', { channel: 'whatsapp' }, { channel: 'whatsapp', peer: direct }],
    ['another guild', message, { channel: 'whatsapp', guildId: 'other' }],
    [
      'a peer that fits and an account that does not',
      message,
      { channel: 'whatsapp', peer: direct, accountId: 'home' },
    ],
  ])('leaves out a binding to %s', (_name, from, match) => {
    expect(route(from, match)).toBe('main by default');
  });

  it('compares channels without case, and knows the panel and the command line by their names', () => {
    expect(route({ channel: 'vscode' }, { channel: 'VSCode' })).toBe('a by channel');
    expect(route({ channel: 'cli' }, { channel: 'vscode' }, { channel: 'cli' })).toBe('b by channel');
  });

  it('gives the default agent where the best binding names one that is not there, and says so', () => {
    const config = agentsSection.resolve({
      agents: { work: { default: true }, home: {} },
      bindings: [
        { agentId: 'home', match: { channel: 'vscode' } },
        { agentId: 'gone', match: { channel: 'vscode', peer: direct } },
      ],
    });
    expect(resolveRoute({ channel: 'vscode', peer: direct }, config)).toEqual({
      agentId: 'work',
      matchedBy: 'default',
      reason:
        'Binding 2 (vscode, direct 555) names the agent "gone", which is not there; it is the default agent.',
    });
  });

  it('hands on the model of the binding', () => {
    const config = agentsSection.resolve({
      bindings: [{ agentId: 'main', match: { channel: 'cli' }, model: 'ollama/qwen3' }],
    });
    expect(resolveRoute({ channel: 'cli' }, config)).toMatchObject({
      agentId: 'main',
      model: 'ollama/qwen3',
    });
  });
});
