import { describe, expect, it } from 'vitest';
import { createScriptedModel, openContextWorld } from '../../../test/builders/openContextWorld.ts';
import { calls, result, says, user } from '../../../test/builders/transcriptLines.ts';

const fullSession = [
  user('First goal'),
  calls(['a', 'write', { path: 'src/a.ts' }]),
  result('a', 'word '.repeat(3_050)),
  says('Done.'),
  user('Second goal'),
];
const summary = { text: '## Goals\nBoth.' };

describe('hooks of a compaction', () => {
  it("are told with upstream's fields, before and after", async () => {
    const told: unknown[] = [];
    const internal = {
      has: () => true,
      emit: (type: string, action: string, facts: unknown) => {
        told.push([`${type}:${action}`, facts]);
        return Promise.resolve();
      },
    };
    await using world = await openContextWorld({ messages: fullSession, internal });
    const { session, hooks } = world;
    hooks.on('before_compaction', 'p', (event, context) => {
      const { messages, ...rest } = event;
      told.push(['before', { ...rest, messages: messages?.length }, context.runId]);
    });
    hooks.on('after_compaction', 'p', (event, context) => {
      told.push(['after', event, context.sessionKey]);
    });
    await world.manager.makeRoom(world.request(createScriptedModel([summary])));
    const { file: sessionFile, key, id: sessionId } = session;
    const entry = session.entries().at(-1);
    if (entry?.type !== 'compaction') throw new Error('Nothing was compacted.');
    const before = { messageCount: 5, compactingCount: 3, tokenCount: entry.tokensBefore, sessionFile };
    const after = { messageCount: 3, compactedCount: 3, tokenCount: entry.tokensAfter, sessionFile };
    expect(told).toMatchObject([
      ['session:compact:before', { sessionKey: key, context: { sessionId, ...before } }],
      ['before', { ...before, messages: 5 }, 'run'],
      ['session:compact:after', { sessionKey: key, context: { sessionId, ...after } }],
      ['after', after, key],
    ]);
  });
});
