import { chmod, readdir, readFile, rm, rmdir, stat, symlink, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { callOf, openCheckpoints, type CheckpointWindow } from '../../test/builders/openCheckpoints.ts';
import { PincerError } from '../base/errors.ts';
import type { FileSystem } from '../host/ports.ts';

const hour = 3_600_000;

describe('the list of turns', () => {
  it('names what became of each file of a turn, the newest turn first', async () => {
    await using world = await openCheckpoints();
    const { change, checkpoints } = world.window('w1');
    await world.put('a.md', 'one');
    await world.put('gone.md', 'bye');
    await change('t1', { 'a.md': 'two', 'new.md': 'hi', 'gone.md': null });
    world.clock.advance(1);
    await change('t2', { 'a.md': 'three' }, 's2');
    const list = await checkpoints.list();
    expect(list.map((turn) => turn.id)).toEqual(['t2', 't1']);
    expect(list[1]?.files.map((file) => [file.label, file.status])).toEqual([
      ['a.md', 'changed'],
      ['gone.md', 'deleted'],
      ['new.md', 'created'],
    ]);
    expect((await checkpoints.list('s1')).map((turn) => turn.id)).toEqual(['t1']);
  });

  it('follows a file over the changes of its turn: what ends as it was is left out', async () => {
    await using world = await openCheckpoints();
    const { change, checkpoints } = world.window('w1');
    await change('t1', { 'a.md': 'made' });
    await change('t1', { 'a.md': null });
    expect(await checkpoints.list()).toEqual([]);
    await change('t1', { 'a.md': 'again' });
    expect((await checkpoints.list())[0]?.files).toMatchObject([{ label: 'a.md', status: 'created' }]);
  });

  it('is the same for the next window', async () => {
    await using world = await openCheckpoints();
    await world.window('w1').change('t1', { 'a.md': 'made' });
    expect(await world.window('w2').checkpoints.list()).toEqual(await world.window('w1').checkpoints.list());
  });

  it('stores each content once, for the user alone', async () => {
    await using world = await openCheckpoints();
    const { change } = world.window('w1');
    await world.put('a.md', 'same');
    await world.put('b.md', 'same');
    await change('t1', { 'a.md': 'x', 'b.md': 'x' });
    await change('t1', { 'a.md': 'same' });
    // `same` and `x`: what is only written and never replaced needs no copy.
    expect(await world.blobs()).toHaveLength(2);
  });
});

it('settled waits for a change that is under way, and not for one that could not begin', async () => {
  await using world = await openCheckpoints();
  const { checkpoints } = world.window('w1', { refused: ['no.md'] });
  const planned = (name: string) => [{ path: join(world.workspace, name), before: null, after: 'x' }];
  await expect(checkpoints.begin(planned('no.md'), callOf('t1'))).rejects.toMatchObject({
    code: 'path_refused',
  });
  await checkpoints.settled();
  const pending = await checkpoints.begin(planned('a.md'), callOf('t1'));
  const order: string[] = [];
  const settled = checkpoints.settled().then(() => order.push('settled'));
  await pending.failed().then(() => order.push('ended'));
  await settled;
  expect(order).toEqual(['ended', 'settled']);
});

describe('planRestore and restore', () => {
  async function restore({ checkpoints }: CheckpointWindow, turn: string, overwrite: string[] = []) {
    return await checkpoints.restore(await checkpoints.planRestore(turn), { overwrite });
  }

  it('brings files back to before the turn, with all that came later, and can be undone', async () => {
    await using world = await openCheckpoints();
    const window = world.window('w1');
    await world.put('a.md', 'one');
    await world.put('gone.md', 'bye');
    const first = await world.all();
    await window.change('t1', { 'a.md': 'two', 'sub/new.md': 'hi', 'gone.md': null });
    world.clock.advance(1);
    await window.change('t2', { 'a.md': 'three', 'more.md': 'more' });
    const last = await world.all();
    world.clock.advance(1);
    const { turnId, restored } = await restore(window, 't1');
    expect(await world.all()).toEqual(first);
    expect(restored.map(({ label, status }) => `${label} ${status}`)).toEqual([
      'a.md changed',
      'gone.md created',
      'more.md deleted',
      'sub/new.md deleted',
    ]);
    expect((await window.checkpoints.list())[0]).toMatchObject({ id: turnId, kind: 'restore' });
    world.clock.advance(1);
    await restore(window, turnId ?? '');
    expect(await world.all()).toEqual(last);
  });

  it('restores to before a later turn only what that turn did', async () => {
    await using world = await openCheckpoints();
    const window = world.window('w1');
    await window.change('t1', { 'a.md': 'one' });
    world.clock.advance(1);
    await window.change('t2', { 'a.md': 'two' });
    await restore(window, 't2');
    expect(await world.all()).toEqual({ 'a.md': 'one' });
  });

  it('never overwrites what the user changed since, unless they say so about this file', async () => {
    await using world = await openCheckpoints();
    const window = world.window('w1');
    await world.put('a.md', 'one');
    await window.change('t1', { 'a.md': 'two', 'b.md': 'made' });
    await world.put('a.md', 'mine');
    await world.put('b.md', 'mine too');
    const plan = await window.checkpoints.planRestore('t1');
    expect(plan.items.map((item) => [item.label, item.action, item.obstacle?.kind])).toEqual([
      ['a.md', 'restore', 'changed'],
      ['b.md', 'delete', 'changed'],
    ]);
    expect(await restore(window, 't1')).toEqual({ turnId: undefined, restored: [] });
    expect(await world.all()).toEqual({ 'a.md': 'mine', 'b.md': 'mine too' });
    const { turnId = '' } = await restore(window, 't1', [join(world.workspace, 'a.md')]);
    expect(await world.all()).toEqual({ 'a.md': 'one', 'b.md': 'mine too' });
    await restore(window, turnId);
    expect(await world.get('a.md')).toBe('mine');
  });

  it('counts a file that the user deleted, and one with unsaved changes, as theirs', async () => {
    await using world = await openCheckpoints();
    const window = world.window('w1');
    await world.put('a.md', 'one');
    await window.change('t1', { 'a.md': 'two', 'b.md': 'made' });
    await unlink(join(world.workspace, 'a.md'));
    const unsaved = [join(world.workspace, 'b.md')];
    const { items } = await window.checkpoints.planRestore('t1', { unsaved });
    expect(items.map((item) => item.obstacle?.kind)).toEqual(['changed', 'unsaved']);
  });

  it('leaves the work of another session alone', async () => {
    await using world = await openCheckpoints();
    const window = world.window('w1');
    await window.change('t1', { 'a.md': 'one', 'b.md': 'one' });
    world.clock.advance(1);
    await window.change('t2', { 'b.md': 'two', 'c.md': 'two' }, 's2');
    await restore(window, 't1');
    expect(await world.all()).toEqual({ 'b.md': 'two', 'c.md': 'two' });
  });

  it('takes turns of several sessions back in one go, and can be undone', async () => {
    await using world = await openCheckpoints();
    const window = world.window('w1');
    await world.put('a.md', 'one');
    await window.change('t1', { 'a.md': 'two' });
    world.clock.advance(1);
    await window.change('t2', { 'a.md': 'three', 'b.md': 'made' }, 's2');
    world.clock.advance(1);
    await window.change('t3', { 'c.md': 'of nobody' }, 's3');
    const plan = await window.checkpoints.planRestore('t1', { also: ['t2'] });
    expect(plan.items.map(({ label, action, obstacle }) => [label, action, obstacle])).toEqual([
      ['a.md', 'restore', undefined],
      ['b.md', 'delete', undefined],
    ]);
    const { turnId = '' } = await window.checkpoints.restore(plan);
    expect(await world.all()).toEqual({ 'a.md': 'one', 'c.md': 'of nobody' });
    expect((await window.checkpoints.planRestore('t1', { also: ['t2'] })).items).toEqual([]);
    await restore(window, turnId);
    expect(await world.all()).toEqual({ 'a.md': 'three', 'b.md': 'made', 'c.md': 'of nobody' });
  });

  it('leaves a later turn as it is that the user keeps', async () => {
    await using world = await openCheckpoints();
    const window = world.window('w1');
    await world.put('a.md', 'one');
    await window.change('t1', { 'a.md': 'two', 'b.md': 'made' });
    world.clock.advance(1);
    await window.change('t2', { 'a.md': 'three', 'c.md': 'made' });
    const plan = await window.checkpoints.planRestore('t1', { without: ['t2'] });
    // Its own file stays; what both have changed only the user can decide about.
    expect(plan.items.map(({ label, action, obstacle }) => [label, action, obstacle])).toEqual([
      ['a.md', 'restore', { kind: 'changed' }],
      ['b.md', 'delete', undefined],
    ]);
    await window.checkpoints.restore(plan);
    expect(await world.all()).toEqual({ 'a.md': 'three', 'c.md': 'made' });
  });

  it('stops where a file changed after the plan was shown, and changes nothing', async () => {
    await using world = await openCheckpoints();
    const window = world.window('w1');
    await world.put('a.md', 'one');
    await window.change('t1', { 'a.md': 'two', 'b.md': 'made' });
    const plan = await window.checkpoints.planRestore('t1');
    await world.put('b.md', 'mine');
    await expect(window.checkpoints.restore(plan)).rejects.toMatchObject({ code: 'checkpoint_stale' });
    expect(await world.all()).toEqual({ 'a.md': 'two', 'b.md': 'mine' });
  });

  it('goes through the path rules: what they refuse is not touched, whatever the user says', async () => {
    await using world = await openCheckpoints();
    await world.window('w1').change('t1', { 'a.md': 'one', 'b.md': 'one' });
    const window = world.window('w2', { refused: ['a.md'] });
    await restore(window, 't1', [join(world.workspace, 'a.md')]);
    expect(await world.all()).toEqual({ 'a.md': 'one' });
  });

  it('follows no link that took the place of a folder', async () => {
    await using world = await openCheckpoints();
    const window = world.window('w1');
    await world.put('sub/a.md', 'one');
    await world.put('other/a.md', 'two');
    await window.change('t1', { 'sub/a.md': 'two' });
    await unlink(join(world.workspace, 'sub/a.md'));
    await rmdir(join(world.workspace, 'sub'));
    await symlink(join(world.workspace, 'other'), join(world.workspace, 'sub'));
    const { items } = await window.checkpoints.planRestore('t1');
    expect(items).toMatchObject([{ label: 'sub/a.md', obstacle: { kind: 'refused' } }]);
  });

  it('gives back unsaved text, other encodings and permission bits', async () => {
    await using world = await openCheckpoints();
    const window = world.window('w1');
    const path = join(world.workspace, 'a.md');
    const utf16 = Buffer.from('\uFEFFold', 'utf16le');
    await world.put('a.md', utf16);
    await world.put('run.sh', 'go');
    await chmod(join(world.workspace, 'run.sh'), 0o755);
    await window.change('t1', { 'run.sh': null });
    // An editor: the disk holds something else than the user sees.
    const call = callOf('t1');
    const pending = await window.checkpoints.begin([{ path, before: 'unsaved', after: 'new' }], call);
    await writeFile(path, Buffer.from('\uFEFFnew', 'utf16le'));
    await pending.done();
    await restore(window, 't1');
    expect(await readFile(path)).toEqual(Buffer.from('\uFEFFunsaved', 'utf16le'));
    expect((await stat(join(world.workspace, 'run.sh'))).mode & 0o777).toBe(0o755);
  });

  it('says so where a checkpoint is gone or its content was damaged', async () => {
    await using world = await openCheckpoints();
    const window = world.window('w1');
    await world.put('a.md', 'one');
    await window.change('t1', { 'a.md': 'two', 'b.md': 'made' });
    await expect(restore(window, 'nothing')).rejects.toMatchObject({ code: 'checkpoint_unknown' });
    const [blob = ''] = await world.blobs();
    await writeFile(join(world.state, 'blobs', blob), 'forged');
    await expect(restore(window, 't1')).rejects.toMatchObject({ code: 'checkpoint_lost' });
    expect(await world.all()).toEqual({ 'a.md': 'two', 'b.md': 'made' });
  });
});

describe('the beginning of a change', () => {
  it('has everything on disk before it resolves', async () => {
    await using world = await openCheckpoints();
    const { checkpoints } = world.window('w1');
    await world.put('a.md', 'one');
    const path = join(world.workspace, 'a.md');
    await checkpoints.begin([{ path, before: 'one', after: 'two' }], callOf('t1'));
    expect(await world.blobs()).toHaveLength(1);
    expect(await readdir(join(world.state, 'turns'))).toHaveLength(1);
  });

  it('refuses where it can keep nothing, and the file is not touched', async () => {
    await using world = await openCheckpoints();
    await world.put('a.md', 'one');
    const full = new PincerError('io_disk_full', 'No space.');
    for (const fails of ['blobs', 'turns']) {
      const disk = (fs: FileSystem): FileSystem => ({
        ...fs,
        writeFile: (path, content) =>
          path.includes(fails) ? Promise.reject(full) : fs.writeFile(path, content),
      });
      const { change, checkpoints } = world.window('w1', { disk });
      await expect(change(`t-${fails}`, { 'a.md': 'two' })).rejects.toMatchObject({
        code: 'checkpoint_failed',
      });
      expect(await world.all()).toEqual({ 'a.md': 'one' });
      expect(await checkpoints.list()).toEqual([]);
    }
  });

  it('a change that failed counts for nothing, and what it had written goes back', async () => {
    await using world = await openCheckpoints();
    const { checkpoints } = world.window('w1');
    await world.put('a.md', 'one');
    const at = (path: string): string => join(world.workspace, path);
    const changes = [
      { path: at('a.md'), before: 'one', after: 'two' },
      { path: at('b.md'), before: null, after: 'made' },
    ];
    const pending = await checkpoints.begin(changes, callOf('t1'));
    await world.put('a.md', 'two');
    await pending.failed();
    expect(await world.all()).toEqual({ 'a.md': 'one' });
    expect(await checkpoints.list()).toEqual([]);
  });

  it('a change whose end can not be recorded was made, and is complete for the next start', async () => {
    await using world = await openCheckpoints();
    const append = (): Promise<void> => Promise.reject(new PincerError('io_disk_full', 'No space.'));
    const { change } = world.window('w1', { disk: (fs) => ({ ...fs, append }) });
    await change('t1', { 'a.md': 'made' });
    expect(world.log.lines).toMatchObject([{ level: 'warn' }]);
    world.dead.add('w1');
    const next = world.window('w2');
    expect(await next.checkpoints.recover()).toEqual([]);
    expect(await world.all()).toEqual({ 'a.md': 'made' });
    expect((await next.checkpoints.list()).map((turn) => turn.id)).toEqual(['t1']);
  });
});

describe('recovery after a crash', () => {
  const changesOf = (workspace: string) =>
    ['a.md', 'b.md', 'c.md'].map((name) => ({
      path: join(workspace, name),
      before: 'old',
      after: name === 'c.md' ? null : 'new',
    }));

  it.each([
    { left: [], all: 'old' },
    { left: ['a.md'], all: 'old' },
    { left: ['a.md', 'b.md'], all: 'old' },
    { left: ['a.md', 'b.md', 'c.md'], all: 'new' },
  ])('makes a change whole whose process was killed after $left', async ({ left, all }) => {
    await using world = await openCheckpoints();
    for (const name of ['a.md', 'b.md', 'c.md']) await world.put(name, 'old');
    await world.window('w1').checkpoints.begin(changesOf(world.workspace), callOf('t1'));
    for (const name of left) {
      if (name === 'c.md') await unlink(join(world.workspace, name));
      else await world.put(name, 'new');
    }
    world.dead.add('w1');
    await world.put('.pincer-00000000-0000-4000-8000-000000000000.tmp', 'half');
    await world.put('.pincer-notes.tmp', 'of the user');
    const { checkpoints } = world.window('w2');
    const told = await checkpoints.recover();
    const whole =
      all === 'new' ? { 'a.md': 'new', 'b.md': 'new' } : { 'a.md': 'old', 'b.md': 'old', 'c.md': 'old' };
    expect(await world.all()).toEqual({ ...whole, '.pincer-notes.tmp': 'of the user' });
    expect(told.map(({ code }) => code)).toEqual(
      all === 'old' && left.length > 0 ? ['change_taken_back'] : [],
    );
    expect(await checkpoints.list()).toHaveLength(all === 'new' ? 1 : 0);
    expect(await checkpoints.recover()).toEqual([]);
  });

  it('leaves what somebody has changed since, names it, and can still restore it', async () => {
    await using world = await openCheckpoints();
    for (const name of ['a.md', 'b.md', 'c.md']) await world.put(name, 'old');
    await world.window('w1').checkpoints.begin(changesOf(world.workspace), callOf('t1'));
    await world.put('a.md', 'new');
    await world.put('b.md', 'mine');
    world.dead.add('w1');
    const { checkpoints } = world.window('w2');
    const told = await checkpoints.recover();
    expect(told).toMatchObject([
      { code: 'change_interrupted', source: join(world.workspace, 'b.md') },
      { code: 'change_taken_back' },
    ]);
    expect(await world.all()).toEqual({ 'a.md': 'old', 'b.md': 'mine', 'c.md': 'old' });
    expect((await checkpoints.planRestore('t1')).items).toMatchObject([
      { label: 'b.md', obstacle: { kind: 'changed' } },
    ]);
  });

  it('takes back too what an editor was given and had not saved, and nothing else that is unsaved', async () => {
    await using world = await openCheckpoints();
    for (const name of ['a.md', 'b.md', 'c.md']) await world.put(name, 'old');
    await world.window('w1').checkpoints.begin(changesOf(world.workspace), callOf('t1'));
    world.dead.add('w1');
    const unsaved = new Map([
      ['a.md', 'new'],
      ['b.md', 'mine'],
    ]);
    const { checkpoints } = world.window('w2', { unsaved });
    expect(await checkpoints.recover()).toMatchObject([
      { code: 'change_taken_back', message: expect.stringContaining('taken back: a.md.') as string },
    ]);
    expect([...unsaved]).toEqual([['b.md', 'mine']]);
    expect(await world.all()).toEqual({ 'a.md': 'old', 'b.md': 'old', 'c.md': 'old' });
  });

  it('gives an editor the text back that the user had not saved when the change began', async () => {
    await using world = await openCheckpoints();
    await world.put('a.md', '\uFEFFold');
    const change = { path: join(world.workspace, 'a.md'), before: '\uFEFFmine', after: '\uFEFFnew' };
    await world.window('w1').checkpoints.begin([change], callOf('t1'));
    world.dead.add('w1');
    const unsaved = new Map([['a.md', '\uFEFFnew']]);
    await world.window('w2', { unsaved }).checkpoints.recover();
    expect(unsaved.size).toBe(0);
    expect(await readFile(join(world.workspace, 'a.md'), 'utf8')).toBe('\uFEFFmine');
  });

  it('does not touch what another living window is doing', async () => {
    await using world = await openCheckpoints();
    for (const name of ['a.md', 'b.md', 'c.md']) await world.put(name, 'old');
    const pending = await world.window('w1').checkpoints.begin(changesOf(world.workspace), callOf('t1'));
    await world.put('a.md', 'new');
    expect(await world.window('w2').checkpoints.recover()).toEqual([]);
    expect(await world.get('a.md')).toBe('new');
    await pending.failed();
    expect(await world.get('a.md')).toBe('old');
  });

  it('tries again at the next start what can not be reached now', async () => {
    await using world = await openCheckpoints();
    for (const name of ['a.md', 'b.md', 'c.md']) await world.put(name, 'old');
    await world.window('w1').checkpoints.begin(changesOf(world.workspace), callOf('t1'));
    await world.put('a.md', 'new');
    await world.put('b.md', 'new');
    world.dead.add('w1');
    const closed = world.window('w2', { refused: ['b.md'] });
    expect(await closed.checkpoints.recover()).toMatchObject([
      { code: 'change_not_recovered', source: join(world.workspace, 'b.md') },
      { code: 'change_taken_back' },
    ]);
    expect(await world.all()).toEqual({ 'a.md': 'old', 'b.md': 'new', 'c.md': 'old' });
    await world.window('w3').checkpoints.recover();
    expect(await world.all()).toEqual({ 'a.md': 'old', 'b.md': 'old', 'c.md': 'old' });
  });

  it('costs one damaged line, and leaves the file of another version as it is', async () => {
    await using world = await openCheckpoints();
    const { change } = world.window('w1');
    await change('t1', { 'a.md': 'one' });
    const [name = ''] = await readdir(join(world.state, 'turns'));
    const file = join(world.state, 'turns', name);
    const text = await readFile(file, 'utf8');
    await writeFile(file, `${text}{"type":"beg`);
    await change('t1', { 'b.md': 'two' });
    const next = world.window('w2').checkpoints;
    expect((await next.list())[0]?.files).toHaveLength(2);
    const other = text.replace('"version":1', '"version":2');
    await writeFile(file, other);
    await next.recover();
    expect(await next.list()).toEqual([]);
    expect(await readFile(file, 'utf8')).toBe(other);
  });
});

describe('the limits of what is kept', () => {
  it('drops the oldest turns and what only they needed, never one that runs', async () => {
    await using world = await openCheckpoints();
    const limits = { maxTurns: 2 };
    const { change, checkpoints } = world.window('w1', { limits });
    await world.put('a.md', 'content 0');
    for (const turn of ['t1', 't2', 't3', 't4']) {
      await change(turn, { 'a.md': `content of ${turn}` });
      world.clock.advance(1);
    }
    for (const turn of ['t2', 't3', 't4']) checkpoints.endTurn(turn);
    world.clock.advance(hour);
    await checkpoints.recover();
    expect((await checkpoints.list()).map((turn) => turn.id)).toEqual(['t4', 't3', 't1']);
    expect(await world.blobs()).toHaveLength(3);
    checkpoints.endTurn('t1');
    await checkpoints.recover();
    expect((await checkpoints.list()).map((turn) => turn.id)).toEqual(['t4', 't3']);
    expect(await world.blobs()).toHaveLength(2);
  });

  it('spares the newest turn of another window as long as that window lives', async () => {
    await using world = await openCheckpoints();
    await world.window('w1').change('t0', { 'x.md': 'old' });
    world.clock.advance(1);
    await world.window('w1').change('t1', { 'x.md': 'made' });
    world.clock.advance(1);
    const { change, checkpoints } = world.window('w2', { limits: { maxTurns: 1 } });
    await change('t2', { 'b.md': 'made' });
    await checkpoints.recover();
    expect((await checkpoints.list()).map((turn) => turn.id)).toEqual(['t2', 't1']);
    world.dead.add('w1');
    await checkpoints.recover();
    expect((await checkpoints.list()).map((turn) => turn.id)).toEqual(['t2']);
  });

  it('keeps a change that could not be cleaned up until it is, even where nothing else is kept', async () => {
    await using world = await openCheckpoints();
    await world.put('a.md', 'old');
    await world.put('b.md', 'old');
    const at = (path: string): string => join(world.workspace, path);
    const changes = ['a.md', 'b.md'].map((path) => ({ path: at(path), before: 'old', after: 'new' }));
    await world.window('w1').checkpoints.begin(changes, callOf('t1'));
    await world.put('a.md', 'new');
    world.dead.add('w1');
    const limits = { maxTurns: 0, maxMegabytes: 0 };
    world.clock.advance(hour);
    await world.window('w2', { limits, refused: ['a.md'] }).checkpoints.recover();
    const { change, checkpoints } = world.window('w3', { limits });
    await checkpoints.recover();
    expect(await world.all()).toEqual({ 'a.md': 'old', 'b.md': 'old' });
    await change('t2', { 'a.md': 'two' });
    checkpoints.endTurn('t2');
    await checkpoints.recover();
    expect(await checkpoints.list()).toEqual([]);
    expect(await readdir(join(world.state, 'turns'))).toEqual([]);
  });

  it('keeps within its megabytes; contents that turns share count once', async () => {
    await using world = await openCheckpoints();
    const { change, checkpoints } = world.window('w1', { limits: { maxMegabytes: 1 } });
    const texts = ['x', 'y', 'z'].map((letter) => letter.repeat(400_000));
    await world.put('a.md', texts[0] ?? '');
    await change('t1', { 'a.md': texts[1] ?? '' });
    world.clock.advance(1);
    await change('t2', { 'a.md': texts[0] ?? '' });
    world.clock.advance(1);
    await change('t3', { 'a.md': texts[2] ?? '' });
    world.clock.advance(1);
    await change('t4', { 'a.md': 'end' });
    for (const turn of ['t1', 't2', 't3', 't4']) checkpoints.endTurn(turn);
    await checkpoints.recover();
    // z of t4 and x of t3; y of t2 would be the third.
    expect((await checkpoints.list()).map((turn) => turn.id)).toEqual(['t4', 't3']);
  });

  it('another window that cleans up leaves what was just stored', async () => {
    await using world = await openCheckpoints();
    await world.put('a.md', 'one');
    const path = join(world.workspace, 'a.md');
    const cleaner = world.window('w2');
    const disk = (fs: FileSystem): FileSystem => ({
      ...fs,
      // Right between the content and the record that names it.
      async writeFile(to, content) {
        if (to.includes('turns')) await cleaner.checkpoints.recover();
        await fs.writeFile(to, content);
      },
    });
    const { change, checkpoints } = world.window('w1', { disk });
    await change('t1', { 'a.md': 'two' });
    expect(Buffer.from((await checkpoints.contentBefore('t1', path)) ?? []).toString()).toBe('one');
  });

  it('stores again what somebody has removed before the record names it', async () => {
    await using world = await openCheckpoints();
    await world.put('a.md', 'one');
    const disk = (fs: FileSystem): FileSystem => ({
      ...fs,
      async writeFile(to, content) {
        if (to.includes('turns')) await rm(join(world.state, 'blobs'), { recursive: true });
        await fs.writeFile(to, content);
      },
    });
    const { change, checkpoints } = world.window('w1', { disk });
    await change('t1', { 'a.md': 'two' });
    const held = await checkpoints.contentBefore('t1', join(world.workspace, 'a.md'));
    expect(Buffer.from(held ?? []).toString()).toBe('one');
  });

  it('sweeps what no record names only once it is old', async () => {
    await using world = await openCheckpoints();
    await world.put('a.md', 'one');
    const full = new PincerError('io_disk_full', 'No space.');
    const disk = (fs: FileSystem): FileSystem => ({
      ...fs,
      writeFile: (to, content) => (to.includes('turns') ? Promise.reject(full) : fs.writeFile(to, content)),
    });
    await expect(world.window('w1', { disk }).change('t1', { 'a.md': 'two' })).rejects.toThrow('No space');
    const { checkpoints } = world.window('w2');
    await checkpoints.recover();
    expect(await world.blobs()).toHaveLength(1);
    world.clock.advance(hour);
    await checkpoints.recover();
    expect(await world.blobs()).toEqual([]);
  });

  it('two windows that change at once keep both turns whole', async () => {
    await using world = await openCheckpoints();
    const [one, two] = [world.window('w1'), world.window('w2')];
    await Promise.all([
      ...[1, 2, 3].map((n) => one.change('t1', { [`one${n}.md`]: 'x' })),
      ...[1, 2, 3].map((n) => two.change('t2', { [`two${n}.md`]: 'x' }, 's2')),
    ]);
    const list = await one.checkpoints.list();
    expect(list.map((turn) => turn.files.length)).toEqual([3, 3]);
  });
});
