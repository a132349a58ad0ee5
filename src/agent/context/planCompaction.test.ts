import { describe, expect, it } from 'vitest';
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
import type { SessionEntry } from '../../contracts/sessionEntry.ts';
import { ownText } from './ownText.ts';
import { planCompaction } from './planCompaction.ts';

/** Each message has ten tokens, or as many as its text says with `#`. */
function sizeOf(message: AgentMessage): number {
  const [part] = message.content;
  const said = part?.type === 'text' ? /#(\d+)/u.exec(part.text)?.[1] : undefined;
  return Number(said ?? 10);
}

function plan(entries: readonly SessionEntry[], keepTokens: number, maxKeepTokens = 1_000) {
  return planCompaction({ entries, budget: { keepTokens, maxKeepTokens }, sizeOf });
}

function cutOf(entries: readonly SessionEntry[], keepTokens: number, maxKeepTokens?: number) {
  const found = plan(entries, keepTokens, maxKeepTokens);
  if (found.status !== 'cut') throw new Error(found.reason);
  return found;
}

const threeTurns = transcript(
  user('one'), // e0
  says('1'),
  user('two'), // e2
  calls(['a', 'read'], ['b', 'read']), // e3
  result('a', 'A'),
  result('b', 'B'),
  says('2'), // e6
  user('three'), // e7
);

describe('planCompaction', () => {
  it('keeps as many of the newest messages as fit into keepTokens', () => {
    expect(cutOf(threeTurns, 20)).toMatchObject({ firstKeptId: 'e6', keptTokens: 20 });
    expect(cutOf(threeTurns, 60)).toMatchObject({ firstKeptId: 'e2', keptTokens: 60 });
  });

  it('never parts a call from its results, nor the calls of one answer', () => {
    for (const keepTokens of [29, 30, 40, 49]) expect(cutOf(threeTurns, keepTokens).firstKeptId).toBe('e6');
    expect(cutOf(threeTurns, 50).firstKeptId).toBe('e3');
  });

  it("keeps the user's last message, however little may stay", () => {
    expect(cutOf(threeTurns, 0)).toMatchObject({ firstKeptId: 'e7', request: [] });
  });

  it('keeps the whole running turn where it fits', () => {
    const running = transcript(
      user('old'),
      says('x'),
      user('do it'),
      calls(['a', 'read']),
      result('a', '#500'),
    );
    expect(cutOf(running, 100)).toMatchObject({ firstKeptId: 'e2', keptTokens: 520 });
  });

  it("cuts a running turn behind the user's message only where nothing else fits, and keeps its words", () => {
    const running = transcript(
      user('old'),
      user('do it'),
      calls(['a', 'read']),
      result('a', '#900'),
      user('use tabs', 'steer'),
      calls(['b', 'read']), // e5
      result('b', 'B'),
    );
    const cut = cutOf(running, 100, 800);
    expect(cut.firstKeptId).toBe('e4');
    expect(cut.request.map(ownText)).toEqual(['do it']);
    expect(cutOf(running, 25, 800).request.map(ownText)).toEqual(['do it', 'use tabs']);
  });

  it('takes a result that alone is too long, and gives it to be quoted', () => {
    const running = transcript(user('do it'), calls(['a', 'read']), result('a', '#900'));
    const cut = cutOf(running, 100, 800);
    expect(cut).toMatchObject({ firstKeptId: null, keptTokens: 0 });
    expect(cut.openResults.map((each) => each.toolCallId)).toEqual(['a']);
    expect(cut.request.map(ownText)).toEqual(['do it']);
  });

  it('waits where a call is running that can not stay', () => {
    const running = transcript(user('do it'), calls(['a', 'read'], ['b', 'read']), result('a', '#900'));
    expect(plan(running, 100, 800)).toMatchObject({ status: 'nothing' });
  });

  it('goes on from the last compaction and remembers the request from before it', () => {
    const entries = transcript(
      user('old'),
      user('do it'),
      says('x'), // e2
      compaction('e2'),
      calls(['a', 'read']), // e4
      result('a', '#900'),
      calls(['b', 'read']), // e6
      result('b', 'B'),
    );
    const cut = cutOf(entries, 100, 800);
    expect(cut).toMatchObject({ firstKeptId: 'e6', previous: { id: 'e3' } });
    expect(cut.compacted).toHaveLength(3);
    expect(cut.request.map(ownText)).toEqual(['do it']);
  });

  it('takes no context of a plugin or file for the words of the user', () => {
    const entries = transcript(user('old'), user('do it'), says('x'), context('#300'));
    expect(cutOf(entries, 0, 800)).toMatchObject({ firstKeptId: 'e1', keptTokens: 320 });
  });

  it('says why there is nothing to do', () => {
    expect(plan([], 10)).toEqual({ status: 'nothing', reason: 'The conversation is empty.' });
    expect(plan(threeTurns, 1_000)).toEqual({
      status: 'nothing',
      reason: 'All of the conversation is recent enough to stay word for word.',
    });
  });

  it('plans a conversation of 10,000 messages without sizing the old ones', () => {
    const turn = [user('go'), calls(['a', 'read']), result('a', 'text '.repeat(100)), says('done')];
    const entries = transcript(...Array.from({ length: 2_500 }, () => turn).flat());
    let sized = 0;
    const found = planCompaction({
      entries,
      budget: { keepTokens: 1_000, maxKeepTokens: 50_000 },
      sizeOf: (message) => {
        sized += 1;
        return sizeOf(message);
      },
    });
    expect(found).toMatchObject({ status: 'cut', keptTokens: 1_000 });
    expect(sized).toBeLessThan(300);
  });
});
