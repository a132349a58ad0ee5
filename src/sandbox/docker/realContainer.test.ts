// What only a real daemon can show. All tests share one container where they leave it standing: making one takes seconds.
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import {
  openContainerWorld,
  outputOf,
  type ContainerWorld,
} from '../../../test/builders/openContainerWorld.ts';
import { containerUser } from '../../../test/builders/openSandbox.ts';
import { dockerServer } from '../../../test/builders/testServers.ts';

const { uid, gid } = containerUser;
let world: ContainerWorld | undefined;

const { start, startReady, containers, commandsInside } = {
  start: (...args: Parameters<ContainerWorld['start']>) => opened().start(...args),
  startReady: (command: string) => opened().startReady(command),
  containers: () => opened().containers(),
  commandsInside: () => opened().commandsInside(),
};

function opened(): ContainerWorld {
  if (world === undefined) throw new Error('The sandbox is not open.');
  return world;
}

afterAll(async () => await world?.close(), 60_000);

describe.skipIf(dockerServer.isMissing)('in a real container', { timeout: 120_000 }, () => {
  const titled = (name: string): string => dockerServer.titled(name);

  // A container made anew must not count as the time of a test.
  beforeEach(async () => {
    world ??= await openContainerWorld();
    await outputOf(await start('echo >/tmp/kept'));
  });

  it(titled('a command sees the workspace, no network and a read-only system'), async () => {
    await writeFile(join(opened().workspace, 'a.txt'), 'here');
    const text = await outputOf(
      await start('cat a.txt; ls /sys/class/net; touch /usr/x 2>&1 || echo read-only; id -u; id -g'),
    );
    expect(text).toMatch(/^here\s*lo\s/u);
    expect(text).toContain('read-only');
    expect(text).toContain(`${uid}\n${gid}\n`);
    expect(text).not.toContain('cannot create');
  });

  it(titled('what a command writes belongs to the user of the workspace'), async () => {
    await outputOf(await start('echo made >made.txt'));
    expect(await stat(join(opened().workspace, 'made.txt'))).toMatchObject({ uid, gid, size: 5 });
  });

  it(titled('a command takes input'), async () => {
    const running = await start('cat', true);
    const text = outputOf(running);
    await running.write('hello');
    running.endInput();
    expect(await text).toBe('hello');
  });

  it.each([
    'sleep 300 & echo ready; sleep 301',
    "trap '' TERM INT; echo ready; while :; do sleep 1; done",
    'setsid sleep 300 & echo ready; sleep 301',
    'env -i sleep 300 & echo ready; exec env -i sleep 301',
    'for f in /run/*; do rm -f "$f"; done; echo 1 >/run/x; mkdir -p /run/y; echo ready; sleep 300',
  ])(titled('stop() ends all of `%s`, and the container stays'), async (command) => {
    const [container] = await containers();
    const running = await startReady(command);
    expect(await commandsInside()).not.toEqual([]);
    await running.stop();
    expect(await commandsInside()).toEqual([]);
    expect(await containers()).toEqual([container]);
    expect(await outputOf(await start('ls /tmp'))).toBe('kept\n');
  });

  it.each([
    '(env -i setsid sleep 300 >/dev/null 2>&1 &); echo ready; sleep 301',
    "bash -c 'for i in {1..100}; do sleep 300 & done; wait' & sleep 2; echo ready; wait",
    // Ends each script of ours that looks for it.
    "env -i setsid bash -c 'cd /proc; while :; do for f in $(grep -ls [P]INCER_COMMAND= [0-9]*/cmdline); do kill -9 ${f%%/*}; done; done' & echo ready; sleep 300",
  ])(
    titled('stop() ends what hides or fights back, if need be with the container: `%s`'),
    async (command) => {
      const running = await startReady(command);
      await running.stop();
      expect(await commandsInside()).toEqual([]);
      expect(await outputOf(await start('echo again'))).toBe('again\n');
    },
  );

  it(titled('stop() leaves another command alone, and what hid behind it ends with that one'), async () => {
    const other = await startReady('echo ready; sleep 302; echo over');
    const running = await startReady('(env -i setsid sleep 300 >/dev/null 2>&1 &); echo ready; sleep 301');
    await running.stop();
    expect(await commandsInside()).toEqual(expect.arrayContaining(['sleep 302']));
    expect(await commandsInside()).not.toEqual(expect.arrayContaining(['sleep 301']));
    await other.stop();
    expect(await commandsInside()).toEqual([]);
  });

  it(titled('interrupt() ends a command with its children, and one that handles it goes on'), async () => {
    const ended = await startReady('echo ready; sleep 300; sleep 301');
    ended.interrupt();
    await ended.exit;
    expect(await commandsInside()).toEqual([]);

    const handled = await startReady("trap 'echo heard; exit 7' INT; echo ready; sleep 300");
    handled.interrupt();
    expect(await handled.exit).toMatchObject({ code: 7 });
    expect(await commandsInside()).toEqual([]);
  });
});
