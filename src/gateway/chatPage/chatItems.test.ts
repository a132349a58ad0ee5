import { expect, it } from 'vitest';
import type { AgentMessage } from '../../contracts/message.ts';
import type { SessionEntry } from '../../contracts/sessionEntry.ts';
import type { ChatItem } from './chatViewMessages.ts';
import { askedFor, attachedIn, createChatItems, itemsOfEntries, maxStored, turnsOf } from './chatItems.ts';

const entry = (id: string, message: AgentMessage): SessionEntry => ({
  type: 'message',
  id,
  parentId: null,
  message,
});
const said = (text: string): AgentMessage => ({
  role: 'user',
  content: [
    { type: 'text', text },
    { type: 'text', text: 'an attached file', isContext: true },
  ],
  timestamp: 0,
});
const answered = (...content: Extract<AgentMessage, { role: 'assistant' }>['content']): AgentMessage => ({
  role: 'assistant',
  content,
  provider: 'p',
  model: 'm',
  stopReason: 'stop',
  timestamp: 0,
});
const resultOf = (toolCallId: string, isError: boolean): AgentMessage => ({
  role: 'toolResult',
  toolCallId,
  toolName: 'read',
  content: [],
  // What a plugin may have written there is not told as a fact.
  details: { status: 'denied', by: 'chat view', reason: 'Denied by user' },
  isError,
  timestamp: 0,
});

it('shows a stored conversation with what was said, and of each call that it was made and where it can be read', () => {
  const { items, leftOut } = itemsOfEntries(
    [
      { type: 'turn', id: 't', parentId: null, runId: 'run', state: 'started' },
      entry('a', said('Read it')),
      entry('b', answered({ type: 'toolCall', id: 'c1', name: 'read', arguments: { path: 'a.md' } })),
      entry('c', resultOf('c1', false)),
      entry('d', answered({ type: 'toolCall', id: 'c2', name: 'read', arguments: { path: 'b.md' } })),
      entry('e', resultOf('c2', true)),
      entry('f', answered({ type: 'toolCall', id: 'c3', name: 'read', arguments: {} })),
      entry('g', answered({ type: 'text', text: 'Done.' })),
    ],
    'session',
  );
  expect(leftOut).toBe(0);
  expect(
    items.map((item) => [item.kind, 'state' in item ? item.state : 'text' in item ? item.text : '']),
  ).toEqual([
    ['user', 'Read it'],
    ['step', 'kept'],
    ['step', 'kept'],
    ['step', 'kept'],
    ['answer', ''],
  ]);
  expect(items[1]).toMatchObject({
    title: 'read a.md',
    facts: [],
    opens: { sessionId: 'session', runId: 'run', toolCallId: 'c1' },
  });
});

it('names each stored call by what is known of it and its own result, and puts under each turn what it left', () => {
  const turn = (runId: string, state: 'started' | 'completed'): SessionEntry => ({
    ...{ type: 'turn', id: `${runId}${state}`, parentId: null, runId, state },
  });
  const call = () => ({ type: 'toolCall', id: 'same', name: 'read', arguments: {} }) as const;
  const { items } = itemsOfEntries(
    [
      turn('one', 'started'),
      entry('a', said('Read it')),
      entry('b', answered(call())),
      entry('c', resultOf('same', true)),
      entry('d', answered(call())),
      entry('e', resultOf('same', false)),
      turn('one', 'completed'),
      turn('two', 'started'),
      entry('f', answered(call())),
    ],
    'session',
    {
      ofCall: ({ result }, runId) => ({
        state: 'done',
        title: `${runId} ${String(result?.isError)}`,
        facts: [],
      }),
      underTurn: (runId) => [{ kind: 'note', id: runId, icon: '', markdown: `left by ${runId}` }],
    },
  );
  expect(
    items.map((item) => ('title' in item ? item.title : 'markdown' in item ? item.markdown : '')),
  ).toEqual([...['', 'one true', 'one false', 'left by one'], ...['two undefined', 'left by two']]);
});

it('names the turn that a message began, and none for words that came while it ran or over a channel', () => {
  const turn = (runId: string, state: 'started' | 'completed'): SessionEntry => ({
    ...{ type: 'turn', id: `${runId}${state}`, parentId: null, runId, state },
  });
  const { items } = itemsOfEntries(
    [
      entry('0', said('before any turn')),
      turn('one', 'started'),
      entry('a', said('Read it')),
      entry('b', answered({ type: 'text', text: 'Which?' })),
      entry('c', said('All of it')),
      turn('one', 'completed'),
      turn('two', 'started'),
      entry('d', said('<channel-message channel="telegram" from="Ada" id="7">\nTide?\n</channel-message>')),
      turn('two', 'completed'),
      turn('three', 'started'),
      entry('e', said('Again')),
    ],
    'session',
  );
  expect(items.flatMap((item) => (item.kind === 'user' ? [item.turn?.runId] : []))).toEqual([
    ...[undefined, 'one', undefined, undefined, 'three'],
  ]);
});

it('keeps the newest part of a long conversation and says how much it left out', () => {
  const many = Array.from({ length: maxStored + 3 }, (_, at) => entry(String(at), said(`say ${String(at)}`)));
  const { items, leftOut } = itemsOfEntries(many, 's');
  expect([items.length, leftOut]).toEqual([maxStored, 3]);
  expect(items[0]).toMatchObject({ text: 'say 3' });
});

it('tells each change once, the newest form of an item, in its first place', () => {
  let changes = 0;
  const list = createChatItems(() => (changes += 1));
  list.put({ kind: 'user', id: '1', text: 'a', attached: [] });
  list.put({ kind: 'user', id: '2', text: 'b', attached: [] });
  list.put({ kind: 'user', id: '1', text: 'c', attached: [] });
  expect(list.takeChanged()).toMatchObject([{ text: 'c' }, { text: 'b' }]);
  expect(list.takeChanged()).toEqual([]);
  expect([list.all().length, changes]).toEqual([2, 3]);
});

it('asks for an answer again only by the message right before it, and takes resumed turns back with the others', () => {
  const [first, second] = [1, 2].map((at) => ({ sessionId: 's', runId: `r${String(at)}` }));
  const user = (id: string, more: object = {}): ChatItem => ({
    kind: 'user',
    id,
    text: id,
    attached: [],
    ...more,
  });
  const answer = (id: string): ChatItem => ({ kind: 'answer', id, markdown: id, files: [] });
  const items = [
    user('u1', { turn: first }),
    answer('a1'),
    user('steered'),
    answer('a2'),
    user('/resume', { resumed: second }),
    answer('a3'),
  ];
  expect(askedFor(items, 'a1')).toMatchObject({ id: 'u1', turn: first });
  expect(['a2', 'a3', 'unknown'].map((id) => askedFor(items, id))).toEqual([undefined, undefined, undefined]);
  expect(turnsOf(items)).toEqual([first, second]);
});

it('finds what was attached to the message that began a turn, and nothing of another turn', () => {
  const entries: readonly SessionEntry[] = [
    { type: 'turn', id: 't1', parentId: null, runId: 'r1', state: 'started' },
    { type: 'turn', id: 't2', parentId: null, runId: 'r2', state: 'started' },
    entry('a', said('Read it')),
  ];
  expect(attachedIn(entries, 'r2')).toEqual([{ type: 'text', text: 'an attached file', isContext: true }]);
  expect(['r1', 'r9'].map((runId) => attachedIn(entries, runId))).toEqual([[], []]);
});
