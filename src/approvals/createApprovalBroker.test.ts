import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { executes, questionOf, type CallParts } from '../../test/builders/callContexts.ts';
import { createEmitter, type Emitter } from '../base/event.ts';
import type { ApprovalAsk, ApprovalRequest, Surface } from '../contracts/approval.ts';
import { createInMemoryLog, type InMemoryLog } from '../../test/builders/inMemoryLog.ts';
import { createManualClock, type ManualClock } from '../../test/builders/manualClock.ts';
import { createNodeFileSystem } from '../host/node/nodeFileSystem.ts';
import type { ApprovalBroker, ApprovalLimits, ApprovalOutcome, ApprovalQuestion } from './approvalBroker.ts';
import { callHash } from './callHash.ts';
import { createApprovalBroker } from './createApprovalBroker.ts';
import { createGrantStore, type GrantStore } from './createGrantStore.ts';
import { until } from '../../test/builders/until.ts';

let folder: string;
let clock: ManualClock;
let log: InMemoryLog;
let grants: GrantStore;
let limits: ApprovalLimits;
let broker: ApprovalBroker;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pincer-broker-'));
  clock = createManualClock(1_000);
  log = createInMemoryLog();
  grants = createGrantStore({
    fs: createNodeFileSystem(),
    path: join(folder, 'grants.json'),
    clock,
    report: (diagnostic) => expect.unreachable(diagnostic.message),
  });
  limits = { mode: 'ask', canAsk: true, timeoutMayAllow: false };
  broker = createApprovalBroker({ clock, log, grants, limits: () => limits });
});

afterEach(async () => {
  broker.dispose();
  await rm(folder, { recursive: true, force: true });
});

function askOf(parts: Partial<ApprovalAsk> = {}): ApprovalAsk {
  return { asker: 'host', title: 'Write notes.md', description: 'new file', severity: 'warning', ...parts };
}

type Parts = CallParts & Partial<ApprovalQuestion>;

function inputOf(parts: Parts = {}): ReturnType<typeof questionOf> {
  return questionOf({
    toolName: 'write',
    params: { path: 'notes.md', content: 'hi' },
    asks: [askOf()],
    edits: [],
    grantScope: { workspace: '/w', targets: ['notes.md'], label: 'write notes.md' },
    ...parts,
  });
}

/** Puts a question and waits until it stands in front of the user, whole. */
async function ask(
  parts: Parts = {},
): Promise<{ asked: ApprovalRequest; outcome: Promise<ApprovalOutcome> }> {
  let outcome: Promise<ApprovalOutcome> | undefined;
  const asked = await new Promise<ApprovalRequest>((resolve) => {
    outcome = broker.request(...inputOf({ ...parts, onAsked: resolve }));
  });
  broker.noteShownWhole(asked.id, 'call');
  return { asked, outcome: outcome! };
}

test('a question waits until the user answers it, and is bound to the hash of its call', async () => {
  const { asked, outcome } = await ask();
  expect(broker.pending()).toEqual([asked]);
  expect(asked.callHash).toBe(callHash('write', { content: 'hi', path: 'notes.md' }));
  expect(broker.resolve(asked.id, 'allow-once', 'chat').ok).toBe(true);
  expect(await outcome).toMatchObject({ resolution: 'allow-once', allowed: true, by: 'chat' });
  expect(broker.pending()).toEqual([]);
  expect(broker.history()).toMatchObject([{ request: { id: asked.id }, by: 'chat' }]);
});

test('a call that was shown whole has to be shown again where what was on screen may have been cut', async () => {
  const { asked } = await ask({ params: { path: 'notes.md', content: 'the tail does the harm' } });
  expect(broker.isShownWhole(asked.id, 'call')).toBe(true);
  let changes = 0;
  broker.onDidChange(() => (changes += 1));
  broker.forgetShownWhole('call');
  expect(broker.resolve(asked.id, 'allow-once', 'call')).toMatchObject({
    error: { code: 'approval_not_shown' },
  });
  broker.forgetShownWhole('call');
  expect(changes).toBe(1);
  broker.noteShownWhole(asked.id, 'call');
  expect(broker.isShownWhole(asked.id, 'call')).toBe(true);
});

test('what the question cuts or hides takes a yes only from where all of it was shown; a no always', async () => {
  const hidden = { params: { path: 'notes.md', content: 'the tail does the harm' } };
  const put = async (): Promise<string> => {
    let id = '';
    void broker.request(...inputOf({ ...hidden, onAsked: (asked) => void ({ id } = asked) }));
    await until(() => expect(id).not.toBe(''));
    return id;
  };
  const [first, second, third] = [await put(), await put(), await put()];
  for (const by of ['notification', 'view', 'palette', 'chat button', 'chat', 'terminal'] as const)
    expect(broker.resolve(first, 'allow-once', by)).toMatchObject({ error: { code: 'approval_not_shown' } });
  broker.noteShownWhole(first, 'answer');
  expect(broker.isShownWhole(first, 'notification')).toBe(false);
  expect(broker.resolve(first, 'allow-once', 'view')).toMatchObject({
    error: { code: 'approval_not_shown' },
  });
  expect(broker.resolve(first, 'allow-once', 'chat')).toMatchObject({
    error: { code: 'approval_not_shown' },
  });
  clock.advance(500);
  expect(broker.resolve(first, 'allow-once', 'chat key').ok).toBe(true);
  broker.noteShownWhole(second, 'call');
  expect(broker.resolve(second, 'allow-once', 'terminal').ok).toBe(true);
  expect(broker.resolve(third, 'deny', 'notification').ok).toBe(true);
});

describe('the time of a question', () => {
  let watched = true;
  const look: Emitter<void> = createEmitter();
  const setWatched = (is: boolean): void => {
    watched = is;
    look.fire();
  };
  beforeEach(() => {
    watched = true;
    const attention = { isWatched: () => watched, onDidChange: look.event };
    broker = createApprovalBroker({ clock, log, grants, limits: () => limits, attention });
  });

  test('runs, where it is the host that asks, only while somebody looks', async () => {
    watched = false;
    const { asked, outcome } = await ask();
    clock.advance(600_000);
    expect(broker.timeLeft(asked.id)).toEqual({ ms: 120_000, isRunning: false });
    setWatched(true);
    clock.advance(50_000);
    setWatched(false);
    clock.advance(600_000);
    setWatched(true);
    expect(broker.timeLeft(asked.id)).toEqual({ ms: 70_000, isRunning: true });
    clock.advance(69_999);
    expect(broker.pending()).toEqual([asked]);
    clock.advance(1);
    expect(await outcome).toMatchObject({ resolution: 'timeout', allowed: false });
    expect(broker.timeLeft(asked.id)).toBeUndefined();
  });

  test('of the host stays watched where a plugin allows more, and the plugin’s ends it by the clock', async () => {
    watched = false;
    const long = { asks: [askOf(), askOf({ asker: 'guard', timeoutMs: 300_000 })] } as const;
    const { asked, outcome } = await ask(long);
    expect(asked).toMatchObject({ timeoutMs: 120_000, isTimeWatched: true });
    clock.advance(299_999);
    expect(broker.pending()).toEqual([asked]);
    clock.advance(1);
    expect(await outcome).toMatchObject({ resolution: 'timeout' });
  });

  test('is said to run, and told, once the plugin’s is the shorter one', async () => {
    const { asked, outcome } = await ask({
      asks: [askOf(), askOf({ asker: 'guard', timeoutMs: 300_000 })],
    });
    let changes = 0;
    broker.onDidChange(() => (changes += 1));
    clock.advance(20_000);
    setWatched(false);
    clock.advance(179_999);
    expect(broker.timeLeft(asked.id)).toEqual({ ms: 100_000, isRunning: false });
    expect(changes).toBe(0);
    clock.advance(1);
    expect(broker.timeLeft(asked.id)).toEqual({ ms: 100_000, isRunning: true });
    expect(changes).toBe(1);
    clock.advance(40_000);
    expect(broker.timeLeft(asked.id)).toEqual({ ms: 60_000, isRunning: true });
    clock.advance(60_000);
    expect(await outcome).toMatchObject({ resolution: 'timeout' });
  });

  test('runs by the clock where a plugin set it', async () => {
    watched = false;
    const { asked, outcome } = await ask({ asks: [askOf({ asker: 'guard', timeoutMs: 5_000 })] });
    expect(asked).toMatchObject({ timeoutMs: 5_000, isTimeWatched: false });
    clock.advance(5_000);
    expect(await outcome).toMatchObject({ resolution: 'timeout' });
  });
});

describe('a wider answer', () => {
  const edit = { path: '/w/a', label: 'a', before: null, after: 'x' };
  const edits = { edits: [edit], kind: { does: 'edit', root: '/w' } } as const;
  const isFree = async (parts: Parts): Promise<boolean> => {
    const abort = new AbortController();
    const outcome = await broker.request(
      ...inputOf({ signal: abort.signal, onAsked: () => abort.abort(), ...parts }),
    );
    return outcome.allowed && !outcome.isAsked;
  };
  const other = { workspace: '/w', targets: ['b.md'] as const, label: 'write b.md' };

  test('for the turn covers its other edits, and nothing else', async () => {
    const { asked, outcome } = await ask(edits);
    expect(asked.wider).toEqual(['turn', 'session']);
    expect(broker.resolve(asked.id, 'allow-once', 'chat', { wider: 'turn' }).ok).toBe(true);
    expect(await outcome).toMatchObject({ resolution: 'allow-once', by: 'chat', wider: 'turn' });
    expect(await isFree({ ...edits, grantScope: other, toolName: 'edit' })).toBe(true);
    expect(broker.history().at(-1)).toMatchObject({ by: 'turn', resolution: 'allow-once' });
    expect(await isFree({ ...edits, runId: 'run-2' })).toBe(false);
    expect(await isFree({ ...edits, sessionId: 's2' })).toBe(false);
    expect(await isFree({ edits: [] })).toBe(false);
    expect(await isFree({ ...edits, kind: { does: 'edit', root: '/other' } })).toBe(false);
    expect(await isFree({ ...edits, asks: [askOf({ severity: 'critical' })] })).toBe(false);
    expect(await isFree({ ...edits, asks: [askOf(), askOf({ asker: 'guard' })] })).toBe(false);
    expect(await isFree({ ...edits, tenantId: 'other' })).toBe(false);
    limits = { ...limits, mode: 'deny' };
    expect(await isFree(edits)).toBe(false);
  });

  test('for the session covers what an always would cover, in this session alone', async () => {
    const { asked } = await ask();
    expect(asked.wider).toEqual(['session']);
    expect(broker.resolve(asked.id, 'allow-once', 'chat', { wider: 'session' }).ok).toBe(true);
    expect(await isFree({ runId: 'run-2' })).toBe(true);
    expect(await isFree({ sessionId: 's2' })).toBe(false);
    expect(await isFree({ grantScope: other })).toBe(false);
    expect(await isFree({ toolName: 'edit' })).toBe(false);
    expect(await grants.list()).toEqual([]);
  });

  test('one yes to several is told of each, and covers none that it was not given to', async () => {
    const [first, second] = [await ask(edits), await ask({ ...edits, grantScope: other })];
    const together = { count: 2, sessions: 1 };
    broker.resolve(first.asked.id, 'allow-once', 'chat', { together });
    expect(await first.outcome).toMatchObject({ resolution: 'allow-once', by: 'chat', together });
    expect(broker.pending()).toEqual([second.asked]);
  });

  test('settles what waits and what it covers', async () => {
    const [first, second, third] = [
      await ask(edits),
      await ask({ ...edits, grantScope: other }),
      await ask(),
    ];
    broker.resolve(first.asked.id, 'allow-once', 'chat', { wider: 'turn' });
    expect(await second.outcome).toMatchObject({ allowed: true, by: 'turn' });
    expect(broker.pending()).toEqual([third.asked]);
  });

  test('leaves waiting what may not join, and lets later edits through', async () => {
    const [first, second] = [await ask(edits), await ask({ ...edits, grantScope: other })];
    const mayJoin = ({ id }: ApprovalRequest): boolean => id !== second.asked.id;
    broker.resolve(first.asked.id, 'allow-once', 'chat', { wider: 'turn', mayJoin });
    expect(broker.pending()).toEqual([second.asked]);
    expect(await isFree(edits)).toBe(true);
  });

  test('settles nothing once approvals are set to deny', async () => {
    const [first, second] = [await ask(edits), await ask({ ...edits, grantScope: other })];
    limits = { ...limits, mode: 'deny' };
    broker.resolve(first.asked.id, 'allow-once', 'chat', { wider: 'turn' });
    expect(broker.pending()).toEqual([second.asked]);
  });

  test('is offered for nothing that a plugin asks, a protected place, or what no always covers', async () => {
    const offered = async (parts: Parts) => (await ask(parts)).asked.wider;
    expect(await offered({ ...edits, asks: [askOf({ asker: 'guard' })] })).toEqual([]);
    expect(await offered({ ...edits, asks: [askOf({ severity: 'critical' })] })).toEqual([]);
    expect(await offered({ grantScope: undefined })).toEqual([]);
    const { asked } = await ask({ grantScope: undefined });
    expect(broker.resolve(asked.id, 'allow-once', 'chat', { wider: 'session' })).toMatchObject({
      error: { code: 'approval_decision_not_offered' },
    });
    expect(broker.pending()).toContainEqual(asked);
  });
});

test('the key of the chat takes a yes only to what stood in the chat, however short', async () => {
  const command = {
    params: { command: 'npm test' },
    effects: [executes('npm test')],
    asks: [askOf({ title: 'Run a command', description: 'not on the allow list · npm test' })],
  } as const;
  let id = '';
  void broker.request(...inputOf({ ...command, onAsked: (asked) => void ({ id } = asked) }));
  await until(() => expect(id).not.toBe(''));
  clock.advance(500);
  expect([broker.isShownWhole(id, 'view'), broker.isShownWhole(id, 'chat key')]).toEqual([true, false]);
  expect(broker.resolve(id, 'allow-once', 'chat key')).toMatchObject({
    error: { code: 'approval_not_shown' },
  });
  broker.noteShownWhole(id, 'answer');
  expect(broker.resolve(id, 'allow-once', 'chat key').ok).toBe(true);
});

test('the first answer counts: a second one is told that the id is already resolved', async () => {
  const { asked, outcome } = await ask();
  broker.resolve(asked.id, 'deny', 'notification');
  const second = broker.resolve(asked.id, 'allow-once', 'chat');
  expect(second).toMatchObject({
    ok: false,
    error: { code: 'approval_already_resolved', message: `approval id '${asked.id}' already resolved` },
  });
  expect(await outcome).toMatchObject({ allowed: false, reason: 'Denied by user' });
});

test('a unique prefix names a request, a shared one is ambiguous, an unknown or empty one is unknown', async () => {
  const first = await ask();
  expect(broker.resolve('', 'deny', 'terminal')).toMatchObject({ error: { code: 'approval_unknown' } });
  expect(broker.resolve('zzz', 'deny', 'terminal')).toMatchObject({ error: { code: 'approval_unknown' } });
  // Seventeen requests share a first hexadecimal digit at least once.
  const more = await Promise.all(Array.from({ length: 16 }, () => ask()));
  const ids = [first, ...more].map(({ asked }) => asked.id);
  const shared = ids.map((id) => id.charAt(0)).find((digit, at, all) => all.indexOf(digit) !== at)!;
  expect(broker.resolve(shared, 'deny', 'terminal')).toMatchObject({ error: { code: 'approval_ambiguous' } });
  expect(broker.resolve(first.asked.id.slice(0, 18), 'deny', 'terminal').ok).toBe(true);
});

test('an answer that was not offered changes nothing', async () => {
  const { asked } = await ask({ asks: [askOf({ severity: 'critical' })] });
  expect(asked.decisions).toEqual(['allow-once', 'deny']);
  expect(broker.resolve(asked.id, 'allow-always', 'chat')).toMatchObject({
    ok: false,
    error: { code: 'approval_decision_not_offered' },
  });
  expect(broker.pending()).toHaveLength(1);
});

test('a timeout denies, also where an asker wants it to allow', async () => {
  const { outcome } = await ask({ asks: [askOf({ timeoutMs: 5_000, timeoutBehavior: 'allow' })] });
  clock.advance(5_000);
  expect(await outcome).toMatchObject({
    resolution: 'timeout',
    allowed: false,
    reason: 'Approval timed out',
  });
});

test('a timeout allows only where every asker wants it and the user permits it', async () => {
  limits = { ...limits, timeoutMayAllow: true };
  const wants = askOf({ asker: 'guard', timeoutBehavior: 'allow' });
  const both = await ask({ asks: [askOf(), wants] });
  clock.advance(120_000);
  expect(await both.outcome).toMatchObject({ resolution: 'timeout', allowed: false });
  const alone = await ask({ asks: [wants] });
  clock.advance(120_000);
  expect(await alone.outcome).toMatchObject({ resolution: 'timeout', allowed: true });
});

test('a cancelled run cancels its question, before and after it was put', async () => {
  const controller = new AbortController();
  const { outcome } = await ask({ signal: controller.signal });
  controller.abort();
  expect(await outcome).toMatchObject({ resolution: 'cancelled', allowed: false });
  expect(await broker.request(...inputOf({ signal: controller.signal }))).toMatchObject({
    resolution: 'cancelled',
  });
  expect(broker.pending()).toEqual([]);
});

test('disposing the broker cancels what waits and answers nothing more', async () => {
  const { outcome } = await ask();
  broker.dispose();
  expect(await outcome).toMatchObject({ resolution: 'cancelled', allowed: false });
  expect(await broker.request(...inputOf())).toMatchObject({ resolution: 'cancelled' });
});

test('every asker is told the outcome exactly once; one that throws is logged and stops nobody', async () => {
  const told = vi.fn();
  const { asked, outcome } = await ask({
    asks: [
      askOf({ asker: 'loud', onResolution: () => Promise.reject(new Error('boom')) }),
      askOf({ asker: 'quiet', onResolution: told }),
    ],
  });
  expect(asked.askers).toEqual(['loud', 'quiet']);
  broker.resolve(asked.id, 'deny', 'chat');
  broker.resolve(asked.id, 'allow-once', 'chat');
  await outcome;
  await expect.poll(() => log.lines).toHaveLength(1);
  expect(told.mock.calls).toEqual([['deny']]);
  expect(log.lines[0]?.message).toBe('[approvals] onResolution of loud failed: boom');
});

test('"always" is remembered for each asker that asked, and the same call is not asked again', async () => {
  const asks: ApprovalQuestion['asks'] = [askOf(), askOf({ asker: 'guard' })];
  const { asked, outcome } = await ask({ asks });
  clock.advance(500);
  broker.resolve(asked.id, 'allow-always', 'view');
  expect(await outcome).toMatchObject({ resolution: 'allow-always', allowed: true, by: 'view' });
  expect((await grants.list()).map((grant) => grant.asker)).toEqual(['host', 'guard']);
  expect(await broker.request(...inputOf({ asks }))).toMatchObject({
    resolution: 'allow-always',
    allowed: true,
    by: 'grant',
  });
});

test('"always" is remembered for the tenant of the call: another one is asked again, and so is nobody', async () => {
  const { asked, outcome } = await ask({ tenantId: 'a' });
  expect(asked.tenantId).toBe('a');
  clock.advance(500);
  broker.resolve(asked.id, 'allow-always', 'view');
  await outcome;
  expect(await broker.request(...inputOf({ tenantId: 'a' }))).toMatchObject({ allowed: true, by: 'grant' });
  expect((await ask({ tenantId: 'b' })).asked.tenantId).toBe('b');
  expect((await ask()).asked).not.toHaveProperty('tenantId');
});

test('an "always" of one tenant does not answer what another one is asked at that moment', async () => {
  const [first, second] = [await ask({ tenantId: 'a' }), await ask({ tenantId: 'b' })];
  clock.advance(500);
  broker.resolve(first.asked.id, 'allow-always', 'view');
  await first.outcome;
  expect(broker.pending().map(({ id }) => id)).toEqual([second.asked.id]);
});

test('a grant answers only the asker it was given to: the others are still put to the user', async () => {
  await grants.add({ toolName: 'write', asker: 'host', target: 'notes.md', workspace: '/w' });
  const { asked } = await ask({ asks: [askOf(), askOf({ asker: 'guard', title: 'Check this' })] });
  expect(asked.askers).toEqual(['guard']);
  expect(asked.title).toBe('Check this');
});

test('a grant never answers a critical ask, nor one that does not offer always', async () => {
  await grants.add({ toolName: 'write', asker: 'host', target: 'notes.md', workspace: '/w' });
  expect((await ask({ asks: [askOf({ severity: 'critical' })] })).asked.askers).toEqual(['host']);
  const once = askOf({ allowedDecisions: ['allow-once', 'deny'] });
  expect((await ask({ asks: [once] })).asked.decisions).toEqual(['allow-once', 'deny']);
});

test('where nobody can answer, grants still count and everything else is denied at once', async () => {
  limits = { ...limits, canAsk: false };
  const told = vi.fn();
  expect(await broker.request(...inputOf({ asks: [askOf({ onResolution: told })] }))).toMatchObject({
    allowed: false,
    by: 'policy',
    reason: 'Denied: it needs approval and nobody can answer here',
  });
  expect(told.mock.calls).toEqual([['deny']]);
  await grants.add({ toolName: 'write', asker: 'host', target: 'notes.md', workspace: '/w' });
  expect(await broker.request(...inputOf())).toMatchObject({ allowed: true, by: 'grant' });
});

test('an "always" for several targets covers each alone; a line is covered once each of its targets is', async () => {
  const scopeOf = (...targets: readonly [string, ...string[]]) => ({
    grantScope: { workspace: '/w', targets, label: targets.join(', ') },
  });
  const { asked, outcome } = await ask(scopeOf('npm run build', 'npm test'));
  broker.resolve(asked.id, 'allow-always', 'chat');
  await outcome;
  expect(await broker.request(...inputOf(scopeOf('npm test')))).toMatchObject({ by: 'grant' });
  expect((await ask(scopeOf('npm test', 'npm run lint'))).asked.grantLabel).toBe('npm test, npm run lint');
  await grants.add({ toolName: 'write', asker: 'host', target: 'npm run lint', workspace: '/w' });
  const covered = scopeOf('npm test', 'npm run lint', 'npm run build');
  expect(await broker.request(...inputOf(covered))).toMatchObject({ by: 'grant' });
});

test('mode deny denies what a grant would allow', async () => {
  limits = { ...limits, mode: 'deny' };
  await grants.add({ toolName: 'write', asker: 'host', target: 'notes.md', workspace: '/w' });
  expect(await broker.request(...inputOf())).toMatchObject({ allowed: false, by: 'policy' });
});

test('mode allowlist runs what a grant covers and denies the rest unasked, a plugin that asks included', async () => {
  limits = { ...limits, mode: 'allowlist' };
  const told = vi.fn();
  expect(
    await broker.request(...inputOf({ asks: [askOf({ asker: 'guard', onResolution: told })] })),
  ).toMatchObject({
    allowed: false,
    by: 'policy',
    isAsked: false,
    reason: 'Denied: approvals are set to allowlist, and nothing that was allowed covers this call',
  });
  expect(told.mock.calls).toEqual([['deny']]);
  await grants.add({ toolName: 'write', asker: 'guard', target: 'notes.md', workspace: '/w' });
  expect(await broker.request(...inputOf({ asks: [askOf({ asker: 'guard' })] }))).toMatchObject({
    by: 'grant',
  });
});

test.each(['ask', 'auto', 'full'] as const)(
  'mode %s puts the question of a plugin to a person',
  async (mode) => {
    limits = { ...limits, mode };
    expect((await ask({ asks: [askOf({ asker: 'guard' })] })).asked.askers).toEqual(['guard']);
  },
);

test('an "always" settles what waits and what it covers, and nothing else', async () => {
  const first = await ask();
  const same = await ask();
  const alsoGuarded = await ask({ asks: [askOf(), askOf({ asker: 'guard' })] });
  const other = await ask({ grantScope: { workspace: '/w', targets: ['b.md'], label: 'write b.md' } });
  const critical = await ask({ asks: [askOf({ severity: 'critical' })] });
  const controller = new AbortController();
  const cancelled = await ask({ signal: controller.signal });
  controller.abort();
  broker.resolve(first.asked.id, 'allow-always', 'chat');
  expect(await same.outcome).toMatchObject({ resolution: 'allow-always', allowed: true, by: 'grant' });
  expect(await cancelled.outcome).toMatchObject({ resolution: 'cancelled', allowed: false });
  expect(broker.pending()).toEqual([alsoGuarded.asked, other.asked, critical.asked]);
});

test('an "always" leaves waiting what may not join, though it covers it', async () => {
  const [first, ticked, partly] = [await ask(), await ask(), await ask()];
  const mayJoin = ({ id }: ApprovalRequest): boolean => id !== partly.asked.id;
  broker.resolve(first.asked.id, 'allow-always', 'chat', { mayJoin });
  await first.outcome;
  expect(await ticked.outcome).toMatchObject({ allowed: true, by: 'grant' });
  expect(broker.pending()).toEqual([partly.asked]);
});

test('an "always" that is given while another question is being made answers that one, too', async () => {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  let reads = 0;
  const slow: GrantStore = {
    ...grants,
    async matches(query) {
      const found = await grants.matches(query);
      reads += 1;
      if (reads === 2) await held;
      return found;
    },
  };
  broker = createApprovalBroker({ clock, log, grants: slow, limits: () => limits });
  const first = await ask();
  const second = broker.request(...inputOf());
  await expect.poll(() => reads).toBe(2);
  broker.resolve(first.asked.id, 'allow-always', 'chat');
  await first.outcome;
  release();
  expect(await second).toMatchObject({ allowed: true, by: 'grant' });
});

test('an "always" settles nothing once approvals are set to deny', async () => {
  const first = await ask();
  const second = await ask();
  limits = { ...limits, mode: 'deny' };
  broker.resolve(first.asked.id, 'allow-always', 'chat');
  await first.outcome;
  expect(broker.pending()).toEqual([second.asked]);
});

test('however requests and "always" answers interleave, each asker is told exactly once', async () => {
  const told = new Map<number, number>();
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      broker.request(
        ...inputOf({
          asks: [askOf({ onResolution: () => void told.set(at, (told.get(at) ?? 0) + 1) })],
          onAsked: ({ id }) => {
            broker.noteShownWhole(id, 'call');
            if (at % 7 === 3) queueMicrotask(() => broker.resolve(id, 'allow-always', 'chat'));
          },
        }),
      ),
    ),
  );
  expect(outcomes.every((each) => each.allowed)).toBe(true);
  expect([...told.values()]).toEqual(Array.from({ length: 20 }, () => 1));
});

test('a yes by a click within half a second does not count and says so; a no, and a typed yes, do', async () => {
  for (const by of [
    'notification',
    'chat button',
    'chat key',
    'chat view',
    'chat view key',
    'view',
    'call',
    'review',
    'palette',
  ] as const) {
    const { asked } = await ask();
    clock.advance(499);
    expect(broker.resolve(asked.id, 'allow-once', by)).toMatchObject({
      error: { code: 'approval_too_soon' },
    });
    expect(broker.pending()).toHaveLength(1);
    expect([broker.isTooSoon(asked.id, by), broker.isTooSoon(asked.id, 'terminal')]).toEqual([true, false]);
    clock.advance(1);
    expect(broker.isTooSoon(asked.id, by)).toBe(false);
    expect(broker.resolve(asked.id, 'allow-once', by).ok).toBe(true);
  }
  expect(broker.resolve((await ask()).asked.id, 'deny', 'notification').ok).toBe(true);
  expect(broker.resolve((await ask()).asked.id, 'allow-once', 'chat').ok).toBe(true);
});

test("an answer from no surface is nobody's", async () => {
  const { asked } = await ask();
  for (const by of [' ', 'plugin', 'toString'])
    expect(broker.resolve(asked.id, 'allow-once', by as Surface)).toMatchObject({
      error: { code: 'approval_without_surface' },
    });
  expect(broker.pending()).toHaveLength(1);
});

test('the history drops the oldest decisions where their files are too much to keep, and keeps the last', async () => {
  limits = { ...limits, mode: 'deny' };
  const edit = { path: '/w/a', label: 'a', before: null, after: 'x'.repeat(9_000_000) };
  for (const toolCallId of ['1', '2', '3']) await broker.request(...inputOf({ toolCallId, edits: [edit] }));
  expect(broker.history().map((each) => each.request.toolCallId)).toEqual(['2', '3']);
  await broker.request(...inputOf({ toolCallId: '4', edits: [edit, edit, edit] }));
  expect(broker.history().map((each) => each.request.toolCallId)).toEqual(['4']);
});

test('the history keeps the last 200 decisions', async () => {
  limits = { ...limits, mode: 'deny' };
  for (let at = 0; at < 201; at += 1) await broker.request(...inputOf({ toolCallId: `call-${at}` }));
  expect(broker.history()).toHaveLength(200);
  expect(broker.history()[0]?.request.toolCallId).toBe('call-1');
});
