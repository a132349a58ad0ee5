import fc from 'fast-check';
import { expect, it } from 'vitest';
import { findConversationFault } from '../../../test/builders/findConversationFault.ts';
import {
  calls,
  compaction,
  context,
  result,
  says,
  transcript,
  user,
} from '../../../test/builders/transcriptLines.ts';
import type { AgentMessage } from '../../contracts/message.ts';
import type { CompactionEntry, SessionEntry } from '../../contracts/sessionEntry.ts';
import { closeOpenCalls } from '../../sessions/closeOpenCalls.ts';
import { estimateMessage } from './estimateTokens.ts';
import { isRequest, planCompaction } from './planCompaction.ts';

const words = fc.integer({ min: 1, max: 60 }).map((count) => 'word '.repeat(count));
const id = fc.constantFrom('a', 'b', 'c');
/** Also what crashes and plugins leave behind: calls without results, results without calls, ids that come again. */
const message: fc.Arbitrary<AgentMessage> = fc.oneof(
  words.map((text) => user(text)),
  words.map((text) => user(text, 'steer')),
  words.map(context),
  words.map((text) => says(text)),
  fc.uniqueArray(id, { minLength: 1 }).map((ids) => calls(...ids.map((each) => [each, 'read'] as const))),
  fc.tuple(id, words).map(([toolCallId, text]) => result(toolCallId, text)),
);
const session = fc
  .tuple(fc.array(message, { maxLength: 40 }), fc.option(fc.nat(39)), fc.nat(39))
  .map(([messages, compactedAt, keptFrom]) => {
    const lines: (AgentMessage | CompactionEntry)[] = [...messages];
    if (compactedAt !== null) {
      const kept = Math.min(keptFrom, compactedAt);
      lines.splice(compactedAt, 0, compaction(kept % 3 === 0 ? null : `e${String(kept)}`));
    }
    return transcript(...lines);
  });

it('always leaves what a model takes, within the budget, and the words of the user', () => {
  let cuts = 0;
  fc.assert(
    fc.property(session, fc.nat(150), fc.nat(150), (entries, keepTokens, more) => {
      const budget = { keepTokens, maxKeepTokens: keepTokens + more };
      const plan = planCompaction({ entries, budget, sizeOf: estimateMessage });
      if (plan.status === 'nothing') return;
      cuts += 1;
      const at = plan.firstKeptId === null ? entries.length : lineOf(entries, plan.firstKeptId);
      const kept = readable(entries.slice(at));
      expect(entries[at]).not.toMatchObject({ message: { role: 'toolResult' } });
      // A pair that was parted would leave a result that has become text.
      expect(countOrphans(kept)).toBe(
        countOrphans(readable(entries)) - countOrphans(readable(entries.slice(0, at))),
      );
      if (faultOf(readable(entries)) === undefined) expect(faultOf(kept)).toBeUndefined();
      expect(plan.keptTokens).toBeLessThanOrEqual(budget.maxKeepTokens);
      const last = entries.findLastIndex((entry) => entry.type === 'message' && isRequest(entry.message));
      const request = messagesIn(entries.slice(last)).find(isRequest);
      if (request !== undefined && last < at) expect(plan.request).toContain(request);
    }),
    { numRuns: 2_000 },
  );
  expect(cuts).toBeGreaterThan(300);
});

function lineOf(entries: readonly SessionEntry[], wanted: string): number {
  return entries.findIndex((entry) => entry.id === wanted);
}

function messagesIn(entries: readonly SessionEntry[]): readonly AgentMessage[] {
  return entries.flatMap((entry) => (entry.type === 'message' ? [entry.message] : []));
}

function readable(entries: readonly SessionEntry[]): readonly AgentMessage[] {
  return closeOpenCalls(messagesIn(entries));
}

function faultOf(messages: readonly AgentMessage[]): string | undefined {
  return findConversationFault([user('The summary.'), ...messages]);
}

/** Results whose call is not in the transcript. */
function countOrphans(messages: readonly AgentMessage[]): number {
  return messages.filter(({ role, content: [part] }) => {
    return role === 'user' && part?.type === 'text' && part.text.startsWith('Result of the tool');
  }).length;
}
