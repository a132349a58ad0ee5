import { describe, expect, it } from 'vitest';
import { formatAllowFromLowercase, resolveAllowlistMatchByCandidates } from './channelConfigAdapters.ts';
import {
  buildChannelKeyCandidates,
  normalizeChannelSlug,
  resolveChannelEntryMatchWithFallback,
} from './channelGroups.ts';
import { requireChannelOpenAllowFrom } from './channelSchemas.ts';
import { z } from 'zod';

describe('lists of rooms and senders', () => {
  it('the settings of a room stand under its own name, under one like it, or under the wildcard', () => {
    const entries = { 'Team Room': 1, 'team-room': 2, '*': 3 };
    const find = (key: string) =>
      resolveChannelEntryMatchWithFallback({
        entries,
        keys: buildChannelKeyCandidates(key, ' ', null),
        wildcardKey: '*',
        normalizeKey: normalizeChannelSlug,
      });
    expect(find('team-room')).toMatchObject({ entry: 2, matchSource: 'direct', wildcardEntry: 3 });
    expect(find('#team room')).toMatchObject({ entry: 1, matchKey: 'Team Room' });
    expect(find('other')).toMatchObject({ entry: 3, matchSource: 'wildcard' });
    expect(resolveChannelEntryMatchWithFallback({ entries: {}, keys: ['a'] })).toEqual({});
  });

  it('a sender is on a list by one of its names, and nobody by an empty one', () => {
    const allowList = formatAllowFromLowercase({ allowFrom: [' nc:Ada ', ''], stripPrefixRe: /^nc:/u });
    const candidates = [{ source: 'name' as const }, { value: 'ada', source: 'id' as const }];
    expect(resolveAllowlistMatchByCandidates({ allowList, candidates })).toMatchObject({
      allowed: true,
      matchSource: 'id',
    });
    expect(
      resolveAllowlistMatchByCandidates({ allowList: [''], candidates: [{ value: '', source: 'id' }] }),
    ).toEqual({ allowed: false });
    expect(resolveAllowlistMatchByCandidates({ allowList: ['*'], candidates })).toMatchObject({
      allowed: true,
    });
  });

  it('a channel that is open to all has to say so on its list, too', () => {
    const issuesFor = (allowFrom: string[]) =>
      z
        .object({ allowFrom: z.array(z.string()) })
        .superRefine((value, ctx) =>
          requireChannelOpenAllowFrom({ channel: 'mail', policy: 'open', ...value, ctx }),
        )
        .safeParse({ allowFrom }).error?.issues[0]?.message;
    expect(issuesFor(['*'])).toBeUndefined();
    expect(issuesFor(['ada'])).toContain('channels.mail.allowFrom');
  });
});
