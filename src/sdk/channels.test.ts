import { describe, expect, it } from 'vitest';
import { createAccountListHelpers, mergeAccountConfig } from './channelAccounts.ts';
import { createScopedChannelConfigAdapter, mergeAllowFromEntries } from './channelConfigAdapters.ts';
import { clearAccountEntryFields, deleteAccountFromConfigSection } from './channelConfigEdits.ts';
import { createChannelEntries, defineChannelPluginEntry } from './channelEntries.ts';
import {
  buildChannelGroupsScopeTree,
  resolveMentionGatingWithBypass,
  resolveScopeRequireMention,
  resolveScopeToolsPolicy,
} from './channelGroups.ts';
import { createMessageReceiptFromOutboundResults } from './channelOutbound.ts';
import { createChannelPairingController } from './channelPairing.ts';
import {
  createChatChannelPlugin,
  getChatChannelMeta,
  stripChannelTargetPrefix,
} from './chatChannelPlugin.ts';
import {
  buildChannelConfigSchema,
  buildGroupEntrySchema,
  buildMultiAccountChannelSchema,
  DmPolicySchema,
  refineChannelDmPolicy,
} from './channelSchemas.ts';
import {
  createRestrictSendersChannelSecurity,
  resolveAllowlistProviderRuntimeGroupPolicy,
} from './channelSecurity.ts';
import { defineChannelSetupContract } from './channelSetup.ts';
import { createComputedAccountStatusAdapter, createDefaultChannelRuntimeState } from './channelStatus.ts';
import {
  chunkMarkdownText,
  chunkTextForOutbound,
  renderMarkdownWithMarkers,
  sanitizeAssistantVisibleText,
} from './channelText.ts';
import { createDedupeCache, createFixedWindowRateLimiter, KeyedAsyncQueue } from './queues.ts';
import type { OpenClawPluginApi } from './types.ts';
import { z } from 'zod';

const cfg = {
  channels: {
    mail: {
      token: 'base',
      groups: { '*': { requireMention: true }, g1: { requireMention: false, tools: { deny: ['exec'] } } },
      accounts: { Work: { token: 'own' }, other: { enabled: false } },
    },
  },
};

describe('accounts of a channel', () => {
  it('lists them by the settings and merges an account over its channel', () => {
    const helpers = createAccountListHelpers('mail', { implicitDefaultAccount: { channelKeys: ['token'] } });
    expect(helpers.listAccountIds(cfg)).toEqual(['Work', 'default', 'other']);
    expect(helpers.resolveDefaultAccountId(cfg)).toBe('default');
    expect(helpers.resolveAccountConfig(cfg, 'work')).toMatchObject({ token: 'own' });
    expect(createAccountListHelpers('none').listAccountIds({})).toEqual(['default']);
    const merged = mergeAccountConfig({
      channelConfig: { a: { x: 1, y: 1 }, accounts: {} },
      accountConfig: { a: { y: 2 } },
      nestedObjectKeys: ['a'],
    });
    expect(merged).toEqual({ a: { x: 1, y: 2 } });
  });

  it('changes copies of the configuration and leaves the given one alone', () => {
    const before = JSON.stringify(cfg);
    const adapter = createScopedChannelConfigAdapter({
      sectionKey: 'mail',
      listAccountIds: () => ['Work'],
      resolveAccount: (_cfg, accountId) => ({ accountId, allow: [' a ', 7] }),
      defaultAccountId: () => 'Work',
      clearBaseFields: ['token'],
      resolveAllowFrom: ({ allow }) => allow,
      formatAllowFrom: (allow) => allow.map(String),
    });
    expect(adapter.setAccountEnabled({ cfg, accountId: 'work', enabled: false })).toMatchObject({
      channels: { mail: { accounts: { Work: { token: 'own', enabled: false } } } },
    });
    expect(adapter.resolveAllowFrom?.({ cfg })).toEqual([' a ', '7']);
    const left = deleteAccountFromConfigSection({ cfg, sectionKey: 'mail', accountId: 'Work' });
    expect(left).toMatchObject({ channels: { mail: { accounts: { other: {} } } } });
    expect(
      clearAccountEntryFields({ accounts: { a: { token: 'x' } }, accountId: 'a', fields: ['token'] }),
    ).toEqual({
      nextAccounts: undefined,
      changed: true,
      cleared: true,
    });
    expect(JSON.stringify(cfg)).toBe(before);
    expect(mergeAllowFromEntries([1, ' x '], ['x', ''])).toEqual(['1', 'x']);
  });
});

describe('schemas of channel settings', () => {
  it('make a JSON Schema and check accounts as the channel', () => {
    const base = z
      .object({ dmPolicy: DmPolicySchema.optional(), allowFrom: z.array(z.string()).optional() })
      .strict();
    const schema = buildMultiAccountChannelSchema(base, {
      refine: (value, ctx) => refineChannelDmPolicy({ channelId: 'mail', value: value as object, ctx }),
    });
    const built = buildChannelConfigSchema(schema);
    expect(built.schema).toMatchObject({
      type: 'object',
      properties: { dmPolicy: { enum: expect.arrayContaining(['pairing']) as unknown } },
    });
    expect(built.runtime?.safeParse({ dmPolicy: 'open', allowFrom: ['*'] })).toMatchObject({ success: true });
    expect(built.runtime?.safeParse({ accounts: { a: { dmPolicy: 'open' } } })).toMatchObject({
      success: false,
      issues: [{ path: ['accounts', 'a', 'allowFrom'] }],
    });
    expect(
      buildGroupEntrySchema({ topic: z.string() }, { omit: ['skills'] }).safeParse({ skills: [] }).success,
    ).toBe(false);
  });
});

describe('who may write to a channel', () => {
  it('answers in no group that nobody has set up, and warns of groups that are open to all', () => {
    expect(
      resolveAllowlistProviderRuntimeGroupPolicy({
        providerConfigPresent: false,
        defaultGroupPolicy: 'open',
      }),
    ).toEqual({
      groupPolicy: 'allowlist',
      providerMissingFallbackApplied: true,
    });
    const security = createRestrictSendersChannelSecurity<{ accountId: string; group: 'open' | 'allowlist' }>(
      {
        channelKey: 'mail',
        surface: 'Mail',
        openScope: 'anybody',
        groupPolicyPath: 'p',
        groupAllowFromPath: 'a',
        resolveDmPolicy: () => undefined,
        resolveDmAllowFrom: () => ['1'],
        resolveGroupPolicy: ({ group }) => group,
      },
    );
    const account = { accountId: 'Work', group: 'open' as const };
    expect(security.collectWarnings({ cfg, account })).toMatchObject([
      { checkId: 'channels.mail.groups.open' },
    ]);
    expect(security.collectWarnings({ cfg, account: { ...account, group: 'allowlist' } })).toEqual([]);
    expect(security.resolveDmPolicy({ cfg, account })).toMatchObject({ policy: 'pairing', allowFrom: ['1'] });
  });

  it('takes the narrowest setting of a group, and tools by id before by name', () => {
    const tree = buildChannelGroupsScopeTree(cfg, 'mail', 'work');
    expect(resolveScopeRequireMention({ tree, path: ['g1'] })).toBe(false);
    expect(resolveScopeRequireMention({ tree, path: ['g2'] })).toBe(true);
    expect(resolveScopeToolsPolicy({ tree, path: ['g1'] })).toEqual({ deny: ['exec'] });
    const bySender = {
      scopes: { g: { toolsBySender: { 'id:7': { allow: ['a'] }, 'name:bob': { allow: ['b'] } } } },
    };
    expect(
      resolveScopeToolsPolicy({ tree: bySender, path: ['g'], senderId: '7', senderName: 'Bob' }),
    ).toEqual({ allow: ['a'] });
  });

  it('lets a command through without a mention only from those who may give it', () => {
    const message = {
      isGroup: true,
      requireMention: true,
      canDetectMention: true,
      wasMentioned: false,
      allowTextCommands: true,
      hasControlCommand: true,
    };
    expect(resolveMentionGatingWithBypass({ ...message, commandAuthorized: true }).shouldSkip).toBe(false);
    expect(resolveMentionGatingWithBypass({ ...message, commandAuthorized: false }).shouldSkip).toBe(true);
    expect(
      resolveMentionGatingWithBypass({ ...message, commandAuthorized: true, hasAnyMention: true }).shouldSkip,
    ).toBe(true);
  });

  it('sends a pairing code once to a sender who is not known', async () => {
    const sent: string[] = [];
    let known = false;
    const pairing = {
      readAllowFromStore: () => Promise.resolve([]),
      upsertPairingRequest: () => {
        const created = !known;
        known = true;
        return Promise.resolve({ code: 'ABCD', created });
      },
    };
    const controller = createChannelPairingController({
      core: { channel: { pairing } },
      channel: 'mail',
      accountId: 'A',
    });
    const challenge = {
      senderId: '7',
      senderIdLine: 'Your id: 7',
      sendPairingReply: async (text: string) => void sent.push(text),
    };
    expect(await controller.issueChallenge(challenge)).toEqual({ created: true, code: 'ABCD' });
    expect(await controller.issueChallenge(challenge)).toEqual({ created: false });
    expect(sent).toHaveLength(1);
    expect(sent[0]).toContain('ABCD');
  });
});

describe('parts of a channel plugin', () => {
  it('takes adapters in their short forms', async () => {
    const plugin = createChatChannelPlugin({
      base: { id: 'mail' },
      pairing: { text: { idLabel: 'mailId', message: 'in', notify: () => undefined } },
      threading: { topLevelReplyToMode: 'mail' },
      outbound: {
        base: { deliveryMode: 'direct' },
        attachedResults: { channel: 'mail', sendText: async () => ({ messageId: '1' }) },
      },
    });
    expect(plugin).toMatchObject({
      id: 'mail',
      capabilities: { chatTypes: ['direct'] },
      pairing: { idLabel: 'mailId' },
    });
    const outbound = plugin['outbound'] as { sendText(context: object): Promise<object> };
    expect(await outbound.sendText({})).toEqual({ messageId: '1', channel: 'mail' });
    const threading = plugin['threading'] as { resolveReplyToMode(params: object): unknown };
    expect(threading.resolveReplyToMode({ cfg: { channels: { mail: { replyToMode: 'all' } } } })).toBe('all');
    expect(getChatChannelMeta('telegram').label).toBe('Telegram');
    expect(() => getChatChannelMeta('carrier-pigeon')).toThrow('carrier-pigeon');
    expect(stripChannelTargetPrefix('Telegram: 42', 'telegram')).toBe('42');
  });

  it('registers the channel and loads files beside the entry when they are needed', () => {
    const calls: unknown[] = [];
    const api = {
      runtime: {},
      registerChannel: (channel: object) => calls.push(channel),
    } as unknown as OpenClawPluginApi;
    const plugin = { id: 'mail' };
    const entry = { id: 'mail', name: 'Mail', description: '' };
    defineChannelPluginEntry({ ...entry, plugin, setRuntime: () => calls.push('runtime') }).register(api);
    expect(calls).toEqual([{ plugin }, 'runtime']);
    const loaded: string[] = [];
    const { defineBundledChannelEntry } = createChannelEntries((_url, { specifier }) => {
      loaded.push(specifier);
      return plugin;
    });
    const bundled = defineBundledChannelEntry({
      ...entry,
      importMetaUrl: 'file:///x/index.js',
      plugin: { specifier: './p.js' },
    });
    expect(loaded).toEqual([]);
    bundled.register(api);
    expect(loaded).toEqual(['./p.js']);
  });

  it('tells the state of an account and what was sent', () => {
    const status = createComputedAccountStatusAdapter<object>({
      resolveAccountSnapshot: () => ({
        accountId: 'a',
        enabled: true,
        configured: true,
        extra: { mode: 'polling' },
      }),
    });
    const runtime = { ...createDefaultChannelRuntimeState('a'), running: true, lastError: 'x', busy: false };
    expect(status.buildAccountSnapshot({ account: {}, cfg: {}, runtime })).toMatchObject({
      accountId: 'a',
      running: true,
      lastError: 'x',
      busy: false,
      mode: 'polling',
      lastInboundAt: null,
    });
    const receipt = createMessageReceiptFromOutboundResults({
      results: [
        { messageId: 1 },
        { outcome: 'not_sent', messageId: '9' },
        { receipt: { platformMessageIds: ['2'] } },
      ],
      kind: 'text',
      threadId: 5,
    });
    expect(receipt).toMatchObject({
      primaryPlatformMessageId: '1',
      platformMessageIds: ['1', '2'],
      threadId: '5',
    });
  });

  it('gives setup functions checked input alone', () => {
    const contract = defineChannelSetupContract({
      fields: { token: { kind: 'string', cli: { flags: '--token <t>', description: '' } } },
      adapter: { applyAccountConfig: ({ input }: { input: object }) => ({ input }) },
    }) as { applyAccountConfig(request: object): unknown };
    expect(contract.applyAccountConfig({ input: { token: 'x' } })).toEqual({ input: { token: 'x' } });
    expect(() => contract.applyAccountConfig({ input: { other: 1 } })).toThrow('other');
  });
});

describe('text for channels', () => {
  it('breaks text at lines and spaces and loses nothing but blanks', () => {
    const text = 'one two\nthree four five\nsix';
    const chunks = chunkTextForOutbound(text, 10);
    expect(chunks.every((chunk) => chunk.length <= 10)).toBe(true);
    expect(chunks.join(' ').split(/\s+/u)).toEqual(text.split(/\s+/u));
    expect(chunkTextForOutbound('😀😀', 3)).toEqual(['😀', '😀']);
  });

  it('closes a block of code that it breaks and opens it again', () => {
    const text = [
      'Look:',
      '```ts',
      ...Array.from({ length: 20 }, (_, n) => `const v${String(n)} = 1;`),
      '```',
      'Done.',
    ].join('\n');
    const chunks = chunkMarkdownText(text, 120);
    expect(chunks.length).toBeGreaterThan(2);
    for (const chunk of chunks) {
      expect(chunk.length).toBeLessThanOrEqual(120);
      expect((chunk.match(/```/gu) ?? []).length % 2).toBe(0);
    }
    expect(chunks.at(-1)).toContain('Done.');
    for (const chunk of chunkMarkdownText(`\`\`\`\n${'x'.repeat(500)}\n\`\`\``, 100))
      expect(chunk.length).toBeLessThanOrEqual(100);
  });

  it('shows no thinking, but leaves code as it is', () => {
    expect(sanitizeAssistantVisibleText('<think>secret</think>Hi ```<think>x</think>```')).toBe(
      'Hi ```<think>x</think>```',
    );
    expect(sanitizeAssistantVisibleText('Hi <think>never closed')).toBe('Hi');
  });
});

it('marks of a text are closed in the order that they were opened in, and the text between is escaped', () => {
  const styles = [
    { start: 0, end: 5, style: 'bold' },
    { start: 2, end: 5, style: 'italic' },
    { start: 5, end: 6, style: 'unknown' },
  ];
  const styleMarkers = { bold: { open: '*', close: '*' }, italic: { open: '_', close: '_' } };
  const escapeText = (text: string): string => text.replaceAll('<', '&lt;');
  expect(renderMarkdownWithMarkers({ text: 'ab<de<', styles }, { styleMarkers, escapeText })).toBe(
    '*ab_&lt;de_*&lt;',
  );
});

describe('queues and limits', () => {
  it('runs tasks of a key one after the other, also after one that failed', async () => {
    const queue = new KeyedAsyncQueue();
    const order: string[] = [];
    const failed = queue.enqueue('a', () => Promise.reject(new Error('x')));
    const next = queue.enqueue('a', () => void order.push('next'));
    await expect(failed).rejects.toThrow('x');
    await next;
    expect(order).toEqual(['next']);
  });

  it('forgets by time and by number, and counts in windows', () => {
    const cache = createDedupeCache({ ttlMs: 10, maxSize: 2 });
    expect(cache.check('a', 0)).toBe(false);
    expect(cache.check('a', 5)).toBe(true);
    expect(cache.check('a', 20)).toBe(false);
    cache.check('b', 20);
    cache.check('c', 20);
    expect(cache.peek('a', 20)).toBe(false);
    const limiter = createFixedWindowRateLimiter({ windowMs: 10, maxRequests: 1, maxTrackedKeys: 5 });
    expect([
      limiter.isRateLimited('k', 0),
      limiter.isRateLimited('k', 1),
      limiter.isRateLimited('k', 10),
    ]).toEqual([false, true, false]);
  });
});
